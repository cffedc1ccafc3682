import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { readJsonObject } from "../../../lib/server/http/request/json_body.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import {
  groupBody,
  groupList,
  groupRows,
  saveMembers,
} from "../../../lib/server/http/request/group_requests.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { toGroupInfo } from "../../../lib/server/users/groups/group.ts";
import { readGroupDraft } from "../../../lib/server/users/groups/read_group.ts";

/** The groups: administrators list and add them. */
export const handler = methods<State>({
  async GET(ctx) {
    adminOf(ctx, "list the groups");
    const { users } = ctx.state.cubby;
    const isCounted = flagOption(ctx.url.searchParams, "counts");
    return await (isCounted
      ? listAnswer(ctx, groupRows(users))
      : listAnswer(ctx, groupList(users)));
  },
  async POST(ctx) {
    adminOf(ctx, "add a group");
    const { users } = ctx.state.cubby;
    const body = await readJsonObject(ctx, groupBody);
    const { members, ...draft } = readGroupDraft(body);
    await requireReauthentication(ctx, body);
    await users.groups.checkMembers(members);
    const group = await users.groups.create(draft);
    noteActivity(ctx, "group_add", { subject: group.name });
    await saveMembers(ctx, group, members);
    return jsonAnswer(toGroupInfo(group, await users.groups.members(group.id)), { status: 201 });
  },
});
