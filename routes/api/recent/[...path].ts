import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { listedPath } from "../../../lib/server/http/request/place_requests.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** Below the list, which the file's name alone would match as well. */
export const config: RouteConfig = { routeOverride: "/api/recent/*" };

/** A file that the user has opened. */
export const handler = methods<State>({
  PUT(ctx) {
    const path = listedPath(ctx, "recent");
    const { user } = signedInOf(ctx);
    const access = accessFor(ctx);
    if (user.keepRecent) ctx.state.cubby.recent.note(user.id, access, path, "opened");
    return textAnswer("OK\n");
  },
});
