import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { readView } from "../../../lib/server/http/request/view_requests.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/views{/*}?" };

/** How the user looks at folders: remembered, and forgotten, of one folder or of all. */
export const handler = methods<State>({
  async PUT(ctx) {
    const { path } = requestPath(ctx, "views");
    const view = await readView(ctx);
    const { user } = signedInOf(ctx);
    await ctx.state.cubby.folderViews.put(user.id, accessFor(ctx), path, view);
    return textAnswer("OK\n");
  },
  async DELETE(ctx) {
    const { path } = requestPath(ctx, "views");
    const { folderViews } = ctx.state.cubby;
    const { user } = signedInOf(ctx);
    if (flagOption(ctx.url.searchParams, "all")) await folderViews.clear(user.id);
    else await folderViews.remove(user.id, accessFor(ctx), path);
    return textAnswer("OK\n");
  },
});
