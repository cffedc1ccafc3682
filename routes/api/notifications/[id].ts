import { notificationChangeSchema } from "../../../lib/shared/schemas/notification.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { done } from "../../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../../lib/server/http/openapi/json_body.ts";
import type { Parameter } from "../../../lib/server/http/openapi/types.ts";

const notificationParameter: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "The notification, as `GET /api/notifications` names it.",
  schema: { type: "string" },
};

/** One of the user's own notifications: marked as read, and removed. */
export const handler = calls({
  PATCH: {
    id: "markNotification",
    tag: "Users",
    summary: "Mark a notification as read, or as not read",
    parameters: [notificationParameter],
    body: jsonBody(notificationChangeSchema.entries, ["read"]),
    answers: { 200: done },
    refusals: ["not_found"],
    examples: `
$ curl -s -X PATCH $CUBBY/api/notifications/none -H "X-Auth: $TOKEN" --json '{"read": true}'
{"code":"not_found","message":"Cannot find the notification: no such id"}
`,
    async handle(ctx, body) {
      const { user } = sessionOf(ctx);
      const change = read(notificationChangeSchema, body);
      const { records } = ctx.state.cubby.notifications;
      await records.mark(user.id, ctx.params.id ?? "", change.read);
      return textAnswer("OK\n");
    },
  },
  DELETE: {
    id: "removeNotification",
    tag: "Users",
    summary: "Remove a notification",
    parameters: [notificationParameter],
    answers: { 200: done },
    refusals: ["not_found"],
    examples: `
$ curl -s -X DELETE $CUBBY/api/notifications/none -H "X-Auth: $TOKEN"
Cannot find the notification: no such id
`,
    async handle(ctx) {
      const { records } = ctx.state.cubby.notifications;
      await records.remove(sessionOf(ctx).user.id, ctx.params.id ?? "");
      return textAnswer("OK\n");
    },
  },
});
