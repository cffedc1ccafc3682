import { calls } from "../../../lib/server/http/calls.ts";
import { userIdOf } from "../../../lib/server/http/request/user_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { userParameter } from "../../../lib/server/http/openapi/parts/accounts.ts";

/** The usage of one user, counted again, for administrators. */
export const handler = calls({
  POST: {
    id: "recountQuota",
    tag: "Users",
    summary: "Count what a user with a quota has in use",
    description: "Counts everything in the user's scope and trash, and answers when the count is " +
      "complete. A user without a quota is 501.",
    who: "admin",
    parameters: [userParameter],
    answers: { 200: json("What is in use.", schemaNamed("QuotaUsage")) },
    refusals: ["not_found", "not_supported"],
    examples: `
$ curl -s -X POST $CUBBY/api/quotas/1 -H "X-Auth: $TOKEN" | jq -r .usedFiles
7
`,
    async handle(ctx) {
      const { quotas, users } = ctx.state.cubby;
      return jsonAnswer(await quotas.recount(await users.acting(userIdOf(ctx))));
    },
  },
});
