import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { readJsonObject } from "../../../lib/server/http/request/json_body.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import { groupBody, saveMembers } from "../../../lib/server/http/request/group_requests.ts";
import { toGroupInfo } from "../../../lib/server/users/groups/group.ts";
import { readGroupDraft } from "../../../lib/server/users/groups/read_group.ts";

/** The groups: administrators list and add them. */
export const handler = methods<State>({
  async GET(ctx) {
    adminOf(ctx, "list the groups");
    const { users } = ctx.state.cubby;
    const all = await users.list();
    return jsonAnswer((await users.groups.list()).map((group) => toGroupInfo(group, all)));
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
    return jsonAnswer(toGroupInfo(group, await users.list()), { status: 201 });
  },
});
