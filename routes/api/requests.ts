import type { State } from "../../lib/server/define.ts";
import { accessFor } from "../../lib/server/http/request/access_for.ts";
import { requestInfos } from "../../lib/server/http/request/file_requests.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { signedInOf } from "../../lib/server/http/middleware/sign_in.ts";

/** The user's own requests for files; for administrators all. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user } = signedInOf(ctx);
    accessFor(ctx).need("Cannot list requests", "share");
    const { requests } = ctx.state.cubby;
    const seen = await requests.list(user.perm.admin ? undefined : user.id);
    return jsonAnswer(await requestInfos(ctx, seen, user));
  },
});
