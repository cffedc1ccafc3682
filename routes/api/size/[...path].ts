import type { Context, RouteConfig } from "fresh";
import { read } from "../../../lib/shared/schemas/read.ts";
import { sizeRequestSchema } from "../../../lib/shared/schemas/size.ts";
import type { State } from "../../../lib/server/define.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { reserveMemory } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { acceptsLines } from "../../../lib/server/http/request/accepts.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { wholeBody } from "../../../lib/server/openapi/json_body.ts";
import { parameterNamed } from "../../../lib/server/openapi/parameters.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";
import type { Answer } from "../../../lib/server/openapi/types.ts";
import { heldBySearch } from "../../../lib/server/search/search.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/size{/*}?" };

const measured: Answer = {
  description: "The totals; in lines first those so far, the last line is the answer.",
  content: {
    "application/json": { schema: schemaNamed("FolderSize") },
    "application/x-ndjson": { schema: schemaNamed("FolderSize") },
  },
};

/** The size of a folder with everything below it, or of some of its entries. */
export const handler = calls({
  GET: {
    id: "size",
    tag: "Resources",
    summary: "Add up everything below a folder",
    description:
      "What one may not see does not count. Links to folders are not entered; a link to a file " +
      "counts as the file. Who accepts `application/x-ndjson` gets the totals so far four times " +
      "a second, one object a line. Sizes are kept for a minute, so a file that grows in a " +
      "folder that nobody watches is noticed later. After five minutes the totals so far are " +
      "the answer.",
    token: "read",
    parameters: [parameterNamed("Path")],
    answers: { 200: measured },
    refusals: ["invalid_path", "not_found", "busy"],
    handle: (ctx) => sizeAnswer(ctx),
  },
  POST: {
    id: "sizeOfSome",
    tag: "Resources",
    summary: "Add up some entries of a folder, with everything below them",
    token: "read",
    parameters: [parameterNamed("Path")],
    // About 100,000 names of 40 letters.
    body: wholeBody(sizeRequestSchema, {
      description: "Up to 4 MiB, to arrive within 60 seconds.",
      limits: { bytes: 4 * 1024 * 1024, values: 100_010, milliseconds: 60_000 },
    }),
    answers: { 200: measured },
    refusals: ["invalid_path", "not_found", "busy"],
    async handle(ctx, body) {
      const { names } = read(sizeRequestSchema, body);
      return await sizeAnswer(ctx, names);
    },
  },
});

async function sizeAnswer(ctx: Context<State>, names?: string[]): Promise<Response> {
  const { path } = requestPath(ctx, "size");
  const format = acceptsLines(ctx.req) ? "lines" : "json";
  const type = format === "lines" ? "application/x-ndjson" : "application/json";
  const headers = { "content-type": `${type}; charset=utf-8` };
  const access = accessFor(ctx);
  access.folder(path);
  if (ctx.req.method === "HEAD") return new Response(null, { headers });
  await reserveMemory(ctx, heldBySearch);
  const { listingWorker } = ctx.state.cubby;
  const size = await listingWorker.measure(access, path, { names, format }, ctx.req.signal);
  return new Response(size, { headers });
}
