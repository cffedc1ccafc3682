import type { Context, RouteConfig } from "fresh";
import { read } from "../../../lib/shared/schemas/read.ts";
import { sizeRequestSchema } from "../../../lib/shared/schemas/size.ts";
import type { State } from "../../../lib/server/http/define.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { reserveMemory } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { acceptsLines } from "../../../lib/server/http/request/accepts.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { wholeBody } from "../../../lib/server/http/openapi/json_body.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import { schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import type { Answer } from "../../../lib/server/http/openapi/types.ts";
import { heldBySearch } from "../../../lib/server/files/search/search.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/size/*?") };

const measured: Answer = {
  description: "The totals. In lines, each has the totals so far; the last line is the result.",
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
    summary: "Get the total size of a folder",
    description:
      "Adds up everything below it that you may see: bytes, files, folders, and folders that " +
      "could not be read. Links to folders are not entered; a link to a file counts as the " +
      "file.\n\n" +
      "With `Accept: application/x-ndjson` the totals so far are sent four times a second, " +
      "one object a line, with `isPartial` true; the last line is the result. Closing the " +
      "connection ends the work. After five minutes the totals so far are the result.\n\n" +
      "Sizes of folders are cached in memory for a minute, and for as long as their times " +
      "stay the same. A file that grows in place, in a folder that nobody has open, is " +
      "noticed later.",
    token: "read",
    parameters: [parameterNamed("Path")],
    answers: { 200: measured },
    refusals: ["invalid_path", "not_found", "busy"],
    examples: `
$ curl $CUBBY/api/size/photos/ -H "X-Auth: $TOKEN"
{"bytes":31,"files":2,"folders":0,"unreadable":0,"isPartial":false}
`,
    handle: (ctx) => sizeAnswer(ctx),
  },
  POST: {
    id: "sizeOfSome",
    tag: "Resources",
    summary: "Get the total size of selected entries of a folder",
    description:
      "Takes up to 100,000 names, or paths relative to the folder. An entry below another one " +
      "counts once. `unreadable` includes those that do not exist.",
    token: "read",
    parameters: [parameterNamed("Path")],
    // About 100,000 names of 40 letters.
    body: wholeBody(sizeRequestSchema, {
      description: "Up to 4 MiB, to arrive within 60 seconds.",
      limits: { bytes: 4 * 1024 * 1024, values: 100_010, milliseconds: 60_000 },
    }),
    answers: { 200: measured },
    refusals: ["invalid_path", "not_found", "busy"],
    examples: `
$ curl $CUBBY/api/size/photos/ -H "X-Auth: $TOKEN" --json '{"names": ["sea.jpg"]}'
{"bytes":20,"files":1,"folders":0,"unreadable":0,"isPartial":false}
`,
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
  const args = { access, path, options: { names, format } } as const;
  const { stream } = await listingWorker.measure(args, { signal: ctx.req.signal });
  return new Response(stream.read(), { headers });
}
