import { notificationsChangeSchema } from "../../../lib/shared/schemas/notification.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import type { State } from "../../../lib/server/define.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { readJsonObject } from "../../../lib/server/http/request/json_body.ts";
import { notificationsAnswer } from "../../../lib/server/http/request/notification_requests.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";

/** The user's own notifications: listed, marked as read and removed, all of them. */
export const handler = methods<State>({
  async GET(ctx) {
    return await notificationsAnswer(ctx);
  },
  async PATCH(ctx) {
    const { user } = sessionOf(ctx);
    const change = read(notificationsChangeSchema, await readJsonObject(ctx));
    const until = change.until === undefined ? undefined : Date.parse(change.until);
    await ctx.state.cubby.notifications.records.markAll(user.id, change.read, until);
    return textAnswer("OK\n");
  },
  async DELETE(ctx) {
    await ctx.state.cubby.notifications.records.clear(sessionOf(ctx).user.id);
    return textAnswer("OK\n");
  },
});
