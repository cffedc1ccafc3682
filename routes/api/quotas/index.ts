import { calls } from "../../../lib/server/http/calls.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { quotaList } from "../../../lib/server/http/request/lists/quota_lists.ts";
import { list } from "../../../lib/server/openapi/answers.ts";
import { listParameters } from "../../../lib/server/openapi/parameters.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** The users with a quota, and how much each has in use, for administrators. */
export const handler = calls({
  GET: {
    id: "listQuotas",
    tag: "Users",
    summary: "List the users with a quota, and how much each has in use",
    description: "For administrators.",
    who: "admin",
    parameters: listParameters("the name"),
    answers: { 200: list("Those users, by number.", schemaNamed("UserQuota")) },
    refusals: ["invalid_option"],
    async handle(ctx) {
      return await listAnswer(ctx, quotaList(ctx));
    },
  },
});
