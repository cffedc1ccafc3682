import { toInviteInfo } from "../../../lib/server/features/accounts/auth/invites/invites.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { requireOwnPasswords } from "../../../lib/server/http/request/auth/require_passwords.ts";
import { optionalText, textField } from "../../../lib/server/http/request/json_body.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed, text } from "../../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../../lib/server/http/openapi/json_body.ts";
import type { Schema } from "../../../lib/server/http/openapi/types.ts";

const inviteToken: Schema = { type: "string", description: "What follows `#` in the link." };

/** Calls by a link that an administrator has handed out. */
export const handler = calls({
  POST: {
    id: "openInvite",
    tag: "Users",
    summary: "Describe an invitation or a reset link",
    description:
      "`kind` is `invite` or `reset`; `username` is the user's name, or null where the " +
      "visitor chooses it. A link that is unknown, used, withdrawn or expired is 404.",
    who: "anyone",
    body: jsonBody({ token: inviteToken }, ["token"]),
    answers: { 200: json("What it is for.", schemaNamed("OpenedInvite")) },
    refusals: ["not_found", "throttled"],
    examples: `
$ curl -s $CUBBY/api/public/invite --json '{"token": "'$INVITE'"}' | jq -r .kind
invite
`,
    async handle(ctx, body) {
      const { cubby: { config, invites }, address } = ctx.state;
      requireOwnPasswords(config, "use the link");
      const token = textField(body, "token");
      const { kind, username } = toInviteInfo(await invites.open(token, address));
      return jsonAnswer({ kind, username });
    },
  },
  PUT: {
    id: "useInvite",
    tag: "Users",
    summary: "Create the user, or set the password, of a link",
    description:
      "Uses the link up. `username` is read only where the link leaves the name open. A " +
      "refused name or password leaves the link as it is. Second factors stay.",
    who: "anyone",
    body: jsonBody({
      token: inviteToken,
      username: { type: "string", description: "Where the link leaves it open." },
      password: { type: "string", description: "The new password." },
    }, ["token", "password"]),
    answers: { 200: text("Done; sign in.", schemaNamed("Empty")) },
    refusals: [
      "not_found",
      "throttled",
      "exists",
      "invalid_name",
      "invalid_password",
    ],
    examples: `
$ curl -i -X PUT $CUBBY/api/public/invite --json '{"token": "'$INVITE'", "password": "short"}'
HTTP/1.1 400 Bad Request
content-type: application/json; charset=utf-8

{"code":"invalid_password","message":"Cannot use this password: it needs at least 12 characters"}
`,
    async handle(ctx, body) {
      const { cubby: { config, invites, settings }, address } = ctx.state;
      requireOwnPasswords(config, "use the link");
      const token = textField(body, "token");
      const choice = {
        username: optionalText(body, "username"),
        password: textField(body, "password"),
      };
      const { kind } = toInviteInfo(await invites.open(token, address));
      const user = await invites.use(token, choice, address);
      recordActivity(ctx, kind === "invite" ? "user_add" : "user_change", {
        user: { id: user.id, name: user.username },
        subject: kind === "invite" ? user.username : `${user.username}: password`,
        settings: await settings.get(),
        ...kind === "reset" && {
          details: { account: user.id, fields: ["password"], isByLink: true },
        },
      });
      return textAnswer();
    },
  },
});
