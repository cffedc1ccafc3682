import { calls } from "../../../lib/server/http/calls.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { quotaList } from "../../../lib/server/http/request/lists/account_lists.ts";
import { list, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { listParameters } from "../../../lib/server/http/openapi/parameters.ts";

/** The users with a quota, and how much each has in use, for administrators. */
export const handler = calls({
  GET: {
    id: "listQuotas",
    tag: "Users",
    summary: "List the users with a quota, and how much each has in use",
    description: "`usedBytes` and `usedFiles` are null before the first count.",
    who: "admin",
    parameters: listParameters("the name"),
    answers: { 200: list("Those users, by number.", schemaNamed("UserQuota")) },
    refusals: ["invalid_option"],
    examples: `
$ curl -s -X PUT $CUBBY/api/users/1 -H "X-Auth: $TOKEN" --json '{"what": "user", "which": ["quota"], "data": {"quota": {"bytes": 10000000000, "files": 5000}}}'
$ curl -s $CUBBY/api/quotas -H "X-Auth: $TOKEN" | jq -r .[0].bytes
10000000000
`,
    async handle(ctx) {
      return await listAnswer(ctx, quotaList(ctx));
    },
  },
});
