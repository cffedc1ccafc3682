import type { State } from "../../../lib/server/define.ts";
import { inviteDraftSchema } from "../../../lib/shared/schemas/invite.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import { toInviteInfo } from "../../../lib/server/auth/invites/invites.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { inviteList } from "../../../lib/server/http/request/lists/invite_lists.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { readJsonObject } from "../../../lib/server/http/request/json_body.ts";
import {
  requireOwnPasswords,
  requireReauthentication,
} from "../../../lib/server/http/request/auth/require_passwords.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { linkMailer, mailLink } from "../../../lib/server/pages/send_link.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** The links that make users and set passwords: administrators list and make them. */
export const handler = methods<State>({
  async GET(ctx) {
    adminOf(ctx, "list the invitations");
    return await listAnswer(ctx, await inviteList(ctx.state.cubby.invites));
  },
  async POST(ctx) {
    const { user: { id: byId, username: by } } = adminOf(ctx, "invite a user");
    const { config, invites, users } = ctx.state.cubby;
    requireOwnPasswords(config, "invite a user");
    const body = await readJsonObject(ctx);
    const { username, userID, hours, mail: to } = read(inviteDraftSchema, body);
    const user = userID === null ? null : await users.get(userID);
    if (to !== null) linkMailer(ctx, to);
    await requireReauthentication(ctx, body);
    const { secret, invite } = await invites.create({ username, user, by, byId, hours });
    if (to !== null) await mailLink(ctx, to, { invite, secret, user });
    const subject = [invite.username, to].filter((part) => part !== null).join(", ");
    noteActivity(ctx, "invite_add", { subject: subject || undefined });
    return jsonAnswer({ ...toInviteInfo(invite), token: secret }, { status: 201 });
  },
});
