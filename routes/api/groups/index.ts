import { calls } from "../../../lib/server/http/calls.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import {
  badGroup,
  groupBody,
  groupList,
  groupRows,
  saveMembers,
} from "../../../lib/server/http/request/user_requests.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, list, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { listParameters } from "../../../lib/server/http/openapi/parameters.ts";
import type { Schema } from "../../../lib/server/http/openapi/types.ts";
import { toGroupInfo } from "../../../lib/server/features/accounts/users/groups/group.ts";
import { readGroupDraft } from "../../../lib/server/features/accounts/users/groups/read_group.ts";

const groupOrRow: Schema = {
  anyOf: [
    schemaNamed("Group"),
    {
      type: "object",
      properties: { id: { type: "integer" }, memberCount: { type: "integer", minimum: 0 } },
      required: ["id", "memberCount"],
    },
  ],
};

/** The groups: administrators list and add them. */
export const handler = calls({
  GET: {
    id: "listGroups",
    tag: "Users",
    summary: "List the groups",
    who: "admin",
    parameters: [
      ...listParameters("the name"),
      {
        name: "counts",
        in: "query",
        description: "`true` returns `memberCount`, the number of members, in place of `members`.",
        schema: { type: "boolean", default: false },
      },
    ],
    answers: { 200: list("By number.", groupOrRow) },
    refusals: ["invalid_option"],
    examples: `
$ curl -s $CUBBY/api/groups -H "X-Auth: $TOKEN"
[]
`,
    async handle(ctx) {
      const { users } = ctx.state.cubby;
      const isCounted = flagOption(ctx.url.searchParams, "counts");
      return await (isCounted
        ? listAnswer(ctx, groupRows(users))
        : listAnswer(ctx, groupList(users)));
    },
  },
  POST: {
    id: "addGroup",
    tag: "Users",
    summary: "Add a group",
    description:
      "Needs your `current_password`. Members that the body leaves out grant nothing. Users " +
      "can also be put into groups by `groups` of `PUT /api/users/{id}`.",
    who: "admin",
    body: groupBody(["name"]),
    answers: { 201: json("Added.", schemaNamed("Group")) },
    refusals: [...badGroup, "not_found", "exists"],
    examples: `
$ curl -s -X POST $CUBBY/api/groups -H "X-Auth: $TOKEN" --json '{"name": "Editors", "perm": {"create": true}, "members": [1], "current_password": "a cub naps beside 7 rivers"}' | jq -r .id
1
$ curl -s $CUBBY/api/groups -H "X-Auth: $TOKEN" | jq -r .[0].name
Editors
`,
    async handle(ctx, body) {
      const { users } = ctx.state.cubby;
      const { members, ...draft } = readGroupDraft(body);
      await requireReauthentication(ctx, body);
      await users.groups.checkMembers(members);
      const group = await users.groups.create(draft);
      recordActivity(ctx, "group_add", { subject: group.name });
      await saveMembers(ctx, group, members);
      return jsonAnswer(toGroupInfo(group, await users.groups.members(group.id)), { status: 201 });
    },
  },
});
