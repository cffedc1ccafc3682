import { notificationChangeSchema } from "../../../lib/shared/schemas/notification.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import type { State } from "../../../lib/server/define.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { readJsonObject } from "../../../lib/server/http/request/json_body.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";

/** One of the user's own notifications: marked as read, and removed. */
export const handler = methods<State>({
  async PATCH(ctx) {
    const { user } = sessionOf(ctx);
    const change = read(notificationChangeSchema, await readJsonObject(ctx));
    const { records } = ctx.state.cubby.notifications;
    await records.mark(user.id, ctx.params.id ?? "", change.read);
    return textAnswer("OK\n");
  },
  async DELETE(ctx) {
    const { records } = ctx.state.cubby.notifications;
    await records.remove(sessionOf(ctx).user.id, ctx.params.id ?? "");
    return textAnswer("OK\n");
  },
});
