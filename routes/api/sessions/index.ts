import { calls } from "../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { sessionList } from "../../../lib/server/http/request/lists/account_lists.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { list, schemaNamed, text } from "../../../lib/server/http/openapi/answers.ts";
import { listParameters } from "../../../lib/server/http/openapi/parameters.ts";

/** The user's own sessions: the list, and "sign out everywhere else". */
export const handler = calls({
  GET: {
    id: "listSessions",
    tag: "Sessions",
    summary: "List your sessions",
    description: "`lastSeen` is at most a minute behind.",
    parameters: listParameters("the agent and the address"),
    answers: { 200: list("Open sessions, the newest first.", schemaNamed("Session")) },
    refusals: ["invalid_option"],
    examples: `
$ curl -s $CUBBY/api/sessions -H "X-Auth: $TOKEN" | jq -r .[0].address
127.0.0.1
`,
    async handle(ctx) {
      const { user, session } = sessionOf(ctx);
      const records = await ctx.state.cubby.sessions.list(user.id);
      return await listAnswer(ctx, sessionList(records, session.sid));
    },
  },
  DELETE: {
    id: "endOtherSessions",
    tag: "Sessions",
    summary: "End your other sessions",
    description: "Keeps the session that makes the call.",
    answers: { 200: text("Ended.", schemaNamed("Empty")) },
    examples: `
$ curl -i -X DELETE $CUBBY/api/sessions -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
`,
    async handle(ctx) {
      const { user, session } = sessionOf(ctx);
      await ctx.state.cubby.sessions.endOthers(user.id, session.sid);
      recordActivity(ctx, "signout");
      return textAnswer();
    },
  },
});
