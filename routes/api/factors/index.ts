import { toFactors } from "../../../lib/server/features/accounts/auth/factors/factors_record.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { factorOwner } from "../../../lib/server/http/request/auth/factor_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";

/** The user's own second factors. */
export const handler = calls({
  GET: {
    id: "getFactors",
    tag: "Sessions",
    summary: "Describe your second factors",
    description:
      "Contains no secrets. Where the server does not ask users for passwords, all calls " +
      "about factors are 403 `forbidden`.",
    who: "enrolling",
    answers: { 200: json("Contains no secrets.", schemaNamed("Factors")) },
    examples: `
$ curl -s $CUBBY/api/factors -H "X-Auth: $TOKEN"
{"totp":false,"passkeys":[],"recoveryCodes":0}
`,
    async handle(ctx) {
      const { user } = factorOwner(ctx);
      return jsonAnswer(toFactors(await ctx.state.cubby.factors.of(user)));
    },
  },
});
