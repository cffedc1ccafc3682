import { inviteDraftSchema } from "../../../lib/shared/schemas/invite.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import { toInviteInfo } from "../../../lib/server/features/accounts/auth/invites/invites.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import {
  requireOwnPasswords,
  requireReauthentication,
} from "../../../lib/server/http/request/auth/require_passwords.ts";
import { inviteList } from "../../../lib/server/http/request/lists/account_lists.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, list, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../../lib/server/http/openapi/json_body.ts";
import { listParameters } from "../../../lib/server/http/openapi/parameters.ts";
import { linkMailer, mailLink } from "../../../lib/server/http/pages/link_mail.ts";

/** The links that make users and set passwords: administrators list and make them. */
export const handler = calls({
  GET: {
    id: "listInvites",
    tag: "Users",
    summary: "List the invitations and reset links",
    description: "Lists the links that still work, without their secrets.",
    who: "admin",
    parameters: listParameters("the name, and the name of who has made it"),
    answers: { 200: list("Newest first.", schemaNamed("Invite")) },
    refusals: ["invalid_option"],
    examples: `
$ curl -s $CUBBY/api/invites -H "X-Auth: $TOKEN"
[]
`,
    async handle(ctx) {
      return await listAnswer(ctx, await inviteList(ctx.state.cubby.invites));
    },
  },
  POST: {
    id: "makeInvite",
    tag: "Users",
    summary: "Make a link that invites a user, or sets a password",
    description:
      "The link works once: for a new user, with the defaults and without special rights, or " +
      "for a new password of the user `userID`. `username` is the name of the new user, or " +
      "null to let the visitor choose. `hours` is how long the link works: 72 by default, 720 " +
      "at most.\n\n" +
      "The `token` of the answer is returned this once; the address of the link is `/invite#` " +
      "and the token. With `mail` the link is also sent to that address. An invalid address " +
      "is 400 `invalid_address`; if the mail server refuses the mail, the call is 503 " +
      "`mail_failed` and creates no link; on a server that sends no mail it is 501 " +
      "`not_supported`. A user whose password is locked, or is not kept by this server, is " +
      "403 `forbidden`.",
    who: "admin",
    body: jsonBody(
      {
        ...inviteDraftSchema.entries,
        current_password: {
          type: "string",
          description: "The password of the one who asks. Not where one has just signed in by an " +
            "account elsewhere.",
        },
      },
      [],
      { required: true },
    ),
    answers: { 201: json("The link, returned this once.", schemaNamed("NewInvite")) },
    refusals: [
      "wrong_credentials",
      "throttled",
      "not_found",
      "exists",
      "invalid_name",
      "invalid_address",
      "mail_failed",
      "not_supported",
    ],
    examples: `
$ INVITE=$(curl -s $CUBBY/api/invites -H "X-Auth: $TOKEN" --json '{"username": "ivy", "current_password": "a cub naps beside 7 rivers"}' | jq -r .token)
$ curl -s $CUBBY/api/invites -H "X-Auth: $TOKEN" | jq -r .[0].username
ivy
`,
    async handle(ctx, body) {
      const { user: by } = sessionOf(ctx);
      const { config, invites, users } = ctx.state.cubby;
      requireOwnPasswords(config, "invite a user");
      const { username, userID, hours, mail: to } = read(inviteDraftSchema, body);
      const user = userID === null ? null : await users.get(userID);
      if (to !== null) linkMailer(ctx, to);
      await requireReauthentication(ctx, body);
      const { secret, invite } = await invites.create({ username, user, by, hours });
      if (to !== null) await mailLink(ctx, to, { invite, secret, user });
      const subject = [invite.username, to].filter((part) => part !== null).join(", ");
      recordActivity(ctx, "invite_add", { subject: subject || undefined });
      return jsonAnswer({ ...toInviteInfo(invite), token: secret }, { status: 201 });
    },
  },
});
