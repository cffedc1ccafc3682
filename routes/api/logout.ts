import type { State } from "../../lib/define.ts";
import { methods } from "../../lib/http/methods.ts";
import { signedOutAnswer } from "../../lib/http/session_answers.ts";
import { signedInOf } from "../../lib/http/sign_in.ts";

/** Ends the session of the token. */
export const handler = methods<State>({
  async POST(ctx) {
    const { user, session } = signedInOf(ctx);
    await ctx.state.cubby.sessions.end(user.id, session.sid);
    return signedOutAnswer(ctx);
  },
});
