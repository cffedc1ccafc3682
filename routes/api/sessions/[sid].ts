import type { State } from "../../../lib/define.ts";
import { textAnswer } from "../../../lib/http/answers.ts";
import { methods } from "../../../lib/http/methods.ts";
import { signedOutAnswer } from "../../../lib/http/session_answers.ts";
import { signedInOf } from "../../../lib/http/sign_in.ts";

/** Ends one of one's own sessions. */
export const handler = methods<State>({
  async DELETE(ctx) {
    const { user, session } = signedInOf(ctx);
    const sid = ctx.params.sid ?? "";
    await ctx.state.cubby.sessions.end(user.id, sid);
    return sid === session.sid ? signedOutAnswer(ctx) : textAnswer();
  },
});
