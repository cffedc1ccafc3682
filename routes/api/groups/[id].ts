import { calls } from "../../../lib/server/http/calls.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import {
  badGroup,
  groupBody,
  groupIdOf,
  groupParameter,
  saveMembers,
} from "../../../lib/server/http/request/user_requests.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed, text } from "../../../lib/server/http/openapi/answers.ts";
import { jsonBody, passwordProof } from "../../../lib/server/http/openapi/json_body.ts";
import { toGroupInfo } from "../../../lib/server/features/accounts/users/groups/group.ts";
import { readGroupChange } from "../../../lib/server/features/accounts/users/groups/read_group.ts";

/** One group, for administrators: shown, changed and removed. */
export const handler = calls({
  GET: {
    id: "getGroup",
    tag: "Users",
    summary: "Describe a group",
    who: "admin",
    parameters: [groupParameter],
    answers: { 200: json("The group.", schemaNamed("Group")) },
    refusals: ["not_found"],
    examples: `
$ curl -s $CUBBY/api/groups/1 -H "X-Auth: $TOKEN" | jq
{
  "id": 1,
  "name": "Editors",
  "perm": {
    "admin": false,
    "create": true,
    "delete": false,
    "download": false,
    "execute": false,
    "modify": false,
    "rename": false,
    "share": false
  },
  "rules": [],
  "roots": [],
  "quota": {
    "bytes": 0,
    "files": 0
  },
  "members": [
    1
  ]
}
`,
    async handle(ctx) {
      const id = groupIdOf(ctx);
      const { users } = ctx.state.cubby;
      return jsonAnswer(toGroupInfo(await users.groups.get(id), await users.groups.members(id)));
    },
  },
  PUT: {
    id: "changeGroup",
    tag: "Users",
    summary: "Change some fields of a group",
    description:
      "Needs your `current_password`. Fields that the body leaves out stay as they are. " +
      "`members` replaces all members; `join` and `leave` change some. The change applies to " +
      "the next request of each member, in open sessions as well.",
    who: "admin",
    parameters: [groupParameter],
    body: groupBody([]),
    answers: { 200: json("The group as it is now.", schemaNamed("Group")) },
    refusals: [...badGroup, "not_found", "exists"],
    examples: `
$ curl -s -X PUT $CUBBY/api/groups/1 -H "X-Auth: $TOKEN" --json '{"perm": {"share": true}, "current_password": "a cub naps beside 7 rivers"}' | jq -r .perm.share
true
`,
    async handle(ctx, body) {
      const id = groupIdOf(ctx);
      const { users } = ctx.state.cubby;
      const former = await users.groups.get(id);
      const { change, members, moved } = readGroupChange(body, former);
      await requireReauthentication(ctx, body);
      await users.groups.checkMembers(members ?? moved?.join ?? []);
      const group = await users.groups.update(id, change);
      const names = [...Object.keys(change), ...members || moved ? ["members"] : []];
      recordActivity(ctx, "group_change", { subject: `${former.name}: ${names.join(", ")}` });
      await saveMembers(ctx, group, members, moved);
      await ctx.state.cubby.recipientUploads.dropEnded();
      return jsonAnswer(toGroupInfo(group, await users.groups.members(id)));
    },
  },
  DELETE: {
    id: "removeGroup",
    tag: "Users",
    summary: "Remove a group",
    description:
      "Needs your `current_password`. The members stay, without what the group granted them.",
    who: "admin",
    parameters: [groupParameter],
    body: jsonBody({ current_password: passwordProof }, []),
    answers: { 200: text("Removed.", schemaNamed("Empty")) },
    refusals: ["wrong_credentials", "throttled", "not_found"],
    examples: `
$ curl -i -X DELETE $CUBBY/api/groups/1 -H "X-Auth: $TOKEN" --json '{"current_password": "a cub naps beside 7 rivers"}'
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
`,
    async handle(ctx, body) {
      const id = groupIdOf(ctx);
      const { users } = ctx.state.cubby;
      const { name } = await users.groups.get(id);
      await requireReauthentication(ctx, body);
      await users.groups.remove(id);
      await ctx.state.cubby.recipientUploads.dropEnded();
      recordActivity(ctx, "group_remove", { subject: name });
      return textAnswer();
    },
  },
});
