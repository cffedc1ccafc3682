import { calls } from "../../lib/server/http/calls.ts";
import { ownSessionOf } from "../../lib/server/http/middleware/sign_in.ts";
import { signOut } from "../../lib/server/http/response/session_answers.ts";
import { text } from "../../lib/server/openapi/answers.ts";
import { headerNamed } from "../../lib/server/openapi/headers.ts";
import { schemaNamed } from "../../lib/server/openapi/references.ts";

/** Ends the session of the token. */
export const handler = calls({
  POST: {
    id: "logout",
    tag: "Sessions",
    summary: "End the session of the token",
    who: "enrolling",
    answers: {
      200: text("The session is gone.", schemaNamed("Empty"), {
        "Set-Cookie": headerNamed("ForgetToken"),
      }),
    },
    refusals: ["disk_full"],
    async handle(ctx) {
      return await signOut(ctx, ownSessionOf(ctx));
    },
  },
});
