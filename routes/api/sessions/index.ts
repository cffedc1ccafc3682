import type { State } from "../../../lib/server/define.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { sessionList } from "../../../lib/server/http/request/lists/session_lists.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** The user's own sessions: the list, and "sign out everywhere else". */
export const handler = methods<State>({
  async GET(ctx) {
    const { user, session } = sessionOf(ctx);
    const records = await ctx.state.cubby.sessions.list(user.id);
    return await listAnswer(ctx, sessionList(records, session.sid));
  },
  async DELETE(ctx) {
    const { user, session } = sessionOf(ctx);
    await ctx.state.cubby.sessions.endOthers(user.id, session.sid);
    noteActivity(ctx, "signout");
    return textAnswer();
  },
});
