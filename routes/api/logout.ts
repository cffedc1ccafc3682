import { calls } from "../../lib/server/http/calls.ts";
import { ownSessionOf } from "../../lib/server/http/middleware/sign_in.ts";
import { signOut } from "../../lib/server/http/response/session_answers.ts";
import { headerNamed, schemaNamed, text } from "../../lib/server/http/openapi/answers.ts";

/** Ends the session of the token. */
export const handler = calls({
  POST: {
    id: "logout",
    tag: "Sessions",
    summary: "End the session of the token",
    description: "Also clears the cookie.",
    who: "enrolling",
    answers: {
      200: text("The session has ended.", schemaNamed("Empty"), {
        "Set-Cookie": headerNamed("ForgetToken"),
      }),
    },
    refusals: ["disk_full"],
    examples: `
$ OTHER=$(curl -s $CUBBY/api/login --json '{"username": "admin", "password": "a cub naps beside 7 rivers"}')
$ curl -i -X POST $CUBBY/api/logout -H "X-Auth: $OTHER"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
set-cookie: auth=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax

$ curl -X POST $CUBBY/api/logout -H "X-Auth: $OTHER"
Cannot answer the request: sign in first
`,
    async handle(ctx) {
      return await signOut(ctx, ownSessionOf(ctx));
    },
  },
});
