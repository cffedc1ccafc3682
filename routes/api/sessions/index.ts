import { calls } from "../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { sessionList } from "../../../lib/server/http/request/lists/session_lists.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { list, text } from "../../../lib/server/openapi/answers.ts";
import { listParameters } from "../../../lib/server/openapi/parameters.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** The user's own sessions: the list, and "sign out everywhere else". */
export const handler = calls({
  GET: {
    id: "listSessions",
    tag: "Sessions",
    summary: "List one's own sessions",
    parameters: listParameters("the agent and the address"),
    answers: { 200: list("The living ones, newest first.", schemaNamed("Session")) },
    refusals: ["invalid_option"],
    async handle(ctx) {
      const { user, session } = sessionOf(ctx);
      const records = await ctx.state.cubby.sessions.list(user.id);
      return await listAnswer(ctx, sessionList(records, session.sid));
    },
  },
  DELETE: {
    id: "endOtherSessions",
    tag: "Sessions",
    summary: "End all of one's own sessions but this one",
    answers: { 200: text("They are gone.", schemaNamed("Empty")) },
    async handle(ctx) {
      const { user, session } = sessionOf(ctx);
      await ctx.state.cubby.sessions.endOthers(user.id, session.sid);
      noteActivity(ctx, "signout");
      return textAnswer();
    },
  },
});
