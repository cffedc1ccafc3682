import type { State } from "../../../lib/server/define.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** Withdraws a link that makes a user or sets a password. */
export const handler = methods<State>({
  async DELETE(ctx) {
    adminOf(ctx, "withdraw an invitation");
    const { username } = await ctx.state.cubby.invites.remove(ctx.params.id ?? "");
    noteActivity(ctx, "invite_remove", { subject: username ?? undefined });
    return textAnswer();
  },
});
