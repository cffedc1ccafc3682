import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/media{/*}?" };

/** The facts that pictures, videos, music and PDF tell of themselves. */
export const handler = methods<State>({
  async GET(ctx) {
    const { path } = requestPath(ctx, "media");
    return jsonAnswer(await ctx.state.cubby.media.info(accessFor(ctx), path, ctx.req.signal));
  },
});
