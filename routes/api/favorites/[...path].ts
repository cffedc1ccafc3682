import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { beforeOption, listedPath } from "../../../lib/server/http/request/place_requests.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** Below the list, which the file's name alone would match as well. */
export const config: RouteConfig = { routeOverride: "/api/favorites/*" };

/** One of the user's favourites: starred, moved in the order, and removed. */
export const handler = methods<State>({
  async PUT(ctx) {
    const path = listedPath(ctx, "favorites");
    const { user } = signedInOf(ctx);
    await ctx.state.cubby.favorites.put(user.id, accessFor(ctx), path, beforeOption(ctx.url));
    return textAnswer("OK\n");
  },
  async DELETE(ctx) {
    const path = listedPath(ctx, "favorites");
    await ctx.state.cubby.favorites.remove(signedInOf(ctx).user.id, accessFor(ctx), path);
    return textAnswer("OK\n");
  },
});
