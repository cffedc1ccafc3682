import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { recentOf } from "../../../lib/server/http/request/place_requests.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** The files that the user has used last: listed, and forgotten. */
export const handler = methods<State>({
  async GET(ctx) {
    return jsonAnswer(await recentOf(ctx));
  },
  async DELETE(ctx) {
    await ctx.state.cubby.recent.clear(signedInOf(ctx).user.id);
    return textAnswer("OK\n");
  },
});
