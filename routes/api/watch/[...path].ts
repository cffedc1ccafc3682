import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/watch{/*}?" };

/** An event stream of the changes in a folder. */
export const handler = methods<State>({
  GET(ctx) {
    const { path } = requestPath(ctx, "watch");
    const headers = {
      "content-type": "text/event-stream; charset=utf-8",
      // Proxies that buffer answers would hold the events back.
      "x-accel-buffering": "no",
    };
    if (ctx.req.method === "HEAD") {
      accessFor(ctx).folder(path);
      return new Response(null, { headers });
    }
    return new Response(ctx.state.cubby.watches.open(signedInOf(ctx), path), { headers });
  },
});
