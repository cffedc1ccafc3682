import type { State } from "../../../lib/server/define.ts";
import { toInviteInfo } from "../../../lib/server/auth/invites/invites.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import {
  optionalText,
  readJsonObject,
  textField,
} from "../../../lib/server/http/request/json_body.ts";
import { requireOwnPasswords } from "../../../lib/server/http/request/auth/require_passwords.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";

/** Calls by a link that an administrator has handed out. */
export const handler = methods<State>({
  async POST(ctx) {
    const { cubby: { config, invites }, address } = ctx.state;
    requireOwnPasswords(config, "use the link");
    const token = textField(await readJsonObject(ctx), "token");
    const { kind, username } = toInviteInfo(await invites.open(token, address));
    return jsonAnswer({ kind, username });
  },
  async PUT(ctx) {
    const { cubby: { config, invites, settings }, address } = ctx.state;
    requireOwnPasswords(config, "use the link");
    const body = await readJsonObject(ctx);
    const token = textField(body, "token");
    const choice = {
      username: optionalText(body, "username"),
      password: textField(body, "password"),
    };
    const { kind } = toInviteInfo(await invites.open(token, address));
    const user = await invites.use(token, choice, address);
    noteActivity(ctx, kind === "invite" ? "user_add" : "user_change", {
      user: { id: user.id, name: user.username },
      subject: kind === "invite" ? user.username : `${user.username}: password`,
      settings: await settings.get(),
      ...kind === "reset" && {
        details: { account: user.id, fields: ["password"], isByLink: true },
      },
    });
    return textAnswer();
  },
});
