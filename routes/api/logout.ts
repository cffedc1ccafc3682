import type { State } from "../../lib/server/define.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { signedOutAnswer } from "../../lib/server/http/response/session_answers.ts";
import { signedInOf } from "../../lib/server/http/middleware/sign_in.ts";

/** Ends the session of the token. */
export const handler = methods<State>({
  async POST(ctx) {
    const { user, session } = signedInOf(ctx);
    await ctx.state.cubby.sessions.end(user.id, session.sid);
    return signedOutAnswer(ctx);
  },
});
