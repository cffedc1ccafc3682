import { HttpError } from "fresh";
import { define } from "../../lib/server/http/define.ts";

/** By this clients find out whether a hotspot stands in the way, which would answer otherwise. */
export const handler = define.handlers({
  GET(ctx) {
    if (!ctx.state.cubby.config.syncClients) throw new HttpError(404);
    return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
  },
});
