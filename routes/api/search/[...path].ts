import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { acceptsLines } from "../../../lib/server/http/request/accepts.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { holdRoom } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { checkSearch, heldBySearch, search } from "../../../lib/server/search/search.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/search{/*}?" };

/** Searches the entries below a folder; results are streamed as they are found. */
export const handler = methods<State>({
  async GET(ctx) {
    const { path } = requestPath(ctx, "search");
    const text = ctx.url.searchParams.get("query") ?? "";
    const access = accessFor(ctx);
    const { listingWorker, config: { apiCompat } } = ctx.state.cubby;
    const format = acceptsLines(ctx.req) || apiCompat === "2.63" ? "lines" : "json";
    const type = format === "lines" ? "application/x-ndjson" : "application/json";
    const headers = { "content-type": `${type}; charset=utf-8` };
    if (ctx.req.method === "HEAD") {
      checkSearch(access, path, text);
      return new Response(null, { headers });
    }
    await holdRoom(ctx, heldBySearch);
    const results = await search(access, listingWorker, path, text, format, ctx.req.signal);
    return new Response(results, { headers });
  },
});
