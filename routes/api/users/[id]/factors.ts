import { DomainError } from "../../../../lib/shared/errors.ts";
import { toFactors } from "../../../../lib/server/features/accounts/auth/factors/factors_record.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import { recordActivity } from "../../../../lib/server/http/request/activities.ts";
import { requireReauthentication } from "../../../../lib/server/http/request/auth/require_passwords.ts";
import { userIdOf } from "../../../../lib/server/http/request/user_requests.ts";
import { jsonAnswer, textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { json, schemaNamed, text } from "../../../../lib/server/http/openapi/answers.ts";
import { jsonBody, passwordProof } from "../../../../lib/server/http/openapi/json_body.ts";
import { badProof, userParameter } from "../../../../lib/server/http/openapi/parts/accounts.ts";

/** The second factors of a user, for administrators: whether there are any, and their removal. */
export const handler = calls({
  GET: {
    id: "getFactorsOf",
    tag: "Users",
    summary: "Describe the second factors of a user",
    who: "admin",
    parameters: [userParameter],
    answers: { 200: json("Contains no secrets.", schemaNamed("Factors")) },
    refusals: ["not_found"],
    examples: `
$ curl -s $CUBBY/api/users/1/factors -H "X-Auth: $TOKEN"
{"totp":false,"passkeys":[],"recoveryCodes":0}
`,
    async handle(ctx) {
      const id = userIdOf(ctx);
      const { factors, users } = ctx.state.cubby;
      return jsonAnswer(toFactors(await factors.of(await users.get(id))));
    },
  },
  DELETE: {
    id: "resetFactors",
    tag: "Users",
    summary: "Remove the second factors of a user",
    description:
      "For a user who has lost them. Needs your `current_password`; not for yourself. The " +
      "user's sessions end.",
    who: "admin",
    parameters: [userParameter],
    body: jsonBody({
      current_password: passwordProof,
    }, []),
    answers: { 200: text("Removed.", schemaNamed("Empty")) },
    refusals: [...badProof, "not_found"],
    async handle(ctx, body) {
      const id = userIdOf(ctx);
      const { user: me } = sessionOf(ctx);
      const { factors, users } = ctx.state.cubby;
      // A borrowed session would get rid of them without having one.
      if (me.id === id) {
        throw new DomainError("forbidden", "Cannot remove your own second factors here: use one");
      }
      const user = await users.get(id);
      await requireReauthentication(ctx, body);
      if (user.hasFactors) {
        await factors.reset(user.id);
        const details = { account: user.id };
        recordActivity(ctx, "factor_remove", { subject: user.username, details });
      }
      return textAnswer();
    },
  },
});
