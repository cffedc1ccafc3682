import { DomainError } from "../../../lib/shared/errors.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { signOut } from "../../../lib/server/http/response/session_answers.ts";
import { headers, schemaNamed, text } from "../../../lib/server/http/openapi/answers.ts";

/** Ends one of the user's own sessions. */
export const handler = calls({
  DELETE: {
    id: "endSession",
    tag: "Sessions",
    summary: "End one of your sessions",
    description: "Any other session is 404.",
    parameters: [{
      name: "sid",
      in: "path",
      required: true,
      description: "The session, as `GET /api/sessions` names it.",
      schema: { type: "string", pattern: "^[\\w-]+$" },
    }],
    answers: {
      200: text(
        "Ended; the cookie is cleared if it was this session.",
        schemaNamed("Empty"),
        {
          "Set-Cookie": { ...headers.ForgetToken, required: false },
        },
      ),
    },
    refusals: ["not_found", "disk_full"],
    examples: `
$ OTHER=$(curl -s $CUBBY/api/login --json '{"username": "admin", "password": "a cub naps beside 7 rivers"}')
$ SID=$(curl -s $CUBBY/api/sessions -H "X-Auth: $TOKEN" | jq -r .[0].sid)
$ curl -i -X DELETE $CUBBY/api/sessions/$SID -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
`,
    async handle(ctx) {
      const signedIn = sessionOf(ctx);
      const { user, session } = signedIn;
      const { sessions } = ctx.state.cubby;
      const { sid } = ctx.params;
      const mine = (await sessions.list(user.id)).find((each) => each.sid === sid);
      if (!mine) throw new DomainError("not_found", "Cannot end the session: no such session");

      if (mine.sid === session.sid) return await signOut(ctx, signedIn);
      await sessions.end(user.id, mine.sid);
      recordActivity(ctx, "signout");
      return textAnswer();
    },
  },
});
