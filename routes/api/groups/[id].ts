import { calls } from "../../../lib/server/http/calls.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import {
  badGroup,
  groupBody,
  groupIdOf,
  groupParameter,
  saveMembers,
} from "../../../lib/server/http/request/group_requests.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, text } from "../../../lib/server/openapi/answers.ts";
import { jsonBody, passwordProof } from "../../../lib/server/openapi/json_body.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";
import { toGroupInfo } from "../../../lib/server/users/groups/group.ts";
import { readGroupChange } from "../../../lib/server/users/groups/read_group.ts";

/** One group, for administrators: shown, changed and removed. */
export const handler = calls({
  GET: {
    id: "getGroup",
    tag: "Users",
    summary: "Describe a group",
    description: "For administrators.",
    who: "admin",
    parameters: [groupParameter],
    answers: { 200: json("The group.", schemaNamed("Group")) },
    refusals: ["not_found"],
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
    description: "For administrators. Fields that are left out stay, `members` as well, of whom " +
      "`join` and `leave` change some. It " +
      "holds for the members at once, in their sessions, too.",
    who: "admin",
    parameters: [groupParameter],
    body: groupBody([]),
    answers: { 200: json("The group as it is now.", schemaNamed("Group")) },
    refusals: [...badGroup, "not_found", "exists"],
    async handle(ctx, body) {
      const id = groupIdOf(ctx);
      const { users } = ctx.state.cubby;
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
  },
  DELETE: {
    id: "removeGroup",
    tag: "Users",
    summary: "Remove a group",
    description: "For administrators. Its members stay, without what it gave them.",
    who: "admin",
    parameters: [groupParameter],
    body: jsonBody({ current_password: passwordProof }, []),
    answers: { 200: text("It is gone.", schemaNamed("Empty")) },
    refusals: ["wrong_credentials", "throttled", "not_found"],
    async handle(ctx, body) {
      const id = groupIdOf(ctx);
      const { users } = ctx.state.cubby;
      const { name } = await users.groups.get(id);
      await requireReauthentication(ctx, body);
      await users.groups.remove(id);
      await ctx.state.cubby.recipientUploads.dropEnded();
      noteActivity(ctx, "group_remove", { subject: name });
      return textAnswer();
    },
  },
});
