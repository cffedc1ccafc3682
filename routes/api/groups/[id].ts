import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { readJsonObject, readOptionalObject } from "../../../lib/server/http/request/json_body.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";
import {
  groupBody,
  groupIdOf,
  saveMembers,
} from "../../../lib/server/http/request/group_requests.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import { toGroupInfo } from "../../../lib/server/users/groups/group.ts";
import { readGroupChange } from "../../../lib/server/users/groups/read_group.ts";

/** One group, for administrators: shown, changed and removed. */
export const handler = methods<State>({
  async GET(ctx) {
    const id = groupIdOf(ctx);
    adminOf(ctx, "look at a group");
    const { users } = ctx.state.cubby;
    return jsonAnswer(toGroupInfo(await users.groups.get(id), await users.groups.members(id)));
  },
  async PUT(ctx) {
    const id = groupIdOf(ctx);
    adminOf(ctx, "change a group");
    const { users } = ctx.state.cubby;
    const body = await readJsonObject(ctx, groupBody);
    const former = await users.groups.get(id);
    const { change, members, moved } = readGroupChange(body, former);
    await requireReauthentication(ctx, body);
    await users.groups.checkMembers(members ?? moved?.join ?? []);
    const group = await users.groups.update(id, change);
    const names = [...Object.keys(change), ...members || moved ? ["members"] : []];
    noteActivity(ctx, "group_change", { subject: `${former.name}: ${names.join(", ")}` });
    await saveMembers(ctx, group, members, moved);
    await ctx.state.cubby.recipientUploads.dropEnded();
    return jsonAnswer(toGroupInfo(group, await users.groups.members(id)));
  },
  async DELETE(ctx) {
    const id = groupIdOf(ctx);
    adminOf(ctx, "remove a group");
    const { users } = ctx.state.cubby;
    const { name } = await users.groups.get(id);
    await requireReauthentication(ctx, await readOptionalObject(ctx));
    await users.groups.remove(id);
    await ctx.state.cubby.recipientUploads.dropEnded();
    noteActivity(ctx, "group_remove", { subject: name });
    return textAnswer();
  },
});
