import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { toSessionInfo } from "../../../lib/server/auth/session.ts";

/** The user's own sessions: the list, and "sign out everywhere else". */
export const handler = methods<State>({
  async GET(ctx) {
    const { user, session } = sessionOf(ctx);
    const records = await ctx.state.cubby.sessions.list(user.id);
    return jsonAnswer(records.map((record) => toSessionInfo(record, session.sid)));
  },
  async DELETE(ctx) {
    const { user, session } = sessionOf(ctx);
    await ctx.state.cubby.sessions.endOthers(user.id, session.sid);
    noteActivity(ctx, "signout");
    return textAnswer();
  },
});
