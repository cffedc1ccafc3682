import type { Context, RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { acceptsLines } from "../../../lib/server/http/request/accepts.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { readSizeRequest } from "../../../lib/server/http/request/size_requests.ts";
import { reserveMemory } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { heldBySearch } from "../../../lib/server/search/search.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/size{/*}?" };

/** The size of a folder with everything below it, or of some of its entries. */
export const handler = methods<State>({
  GET: (ctx) => sizeAnswer(ctx),
  POST: async (ctx) => sizeAnswer(ctx, await readSizeRequest(ctx)),
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
