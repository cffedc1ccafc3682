import type { State } from "../../../lib/server/define.ts";
import { DomainError } from "../../../lib/shared/errors.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { signOut } from "../../../lib/server/http/response/session_answers.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** Ends one of the user's own sessions. */
export const handler = methods<State>({
  async DELETE(ctx) {
    const signedIn = sessionOf(ctx);
    const { user, session } = signedIn;
    const { sessions } = ctx.state.cubby;
    const { sid } = ctx.params;
    const mine = (await sessions.list(user.id)).find((each) => each.sid === sid);
    if (!mine) throw new DomainError("not_found", "Cannot end the session: you have no such one");

    if (mine.sid === session.sid) return await signOut(ctx, signedIn);
    await sessions.end(user.id, mine.sid);
    noteActivity(ctx, "signout");
    return textAnswer();
  },
});
