import { notificationsChangeSchema } from "../../../lib/shared/schemas/notification.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { notificationsAnswer } from "../../../lib/server/http/request/notification_requests.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import {
  done,
  headerNamed,
  json,
  nothing,
  schemaNamed,
} from "../../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../../lib/server/http/openapi/json_body.ts";
import { pageParameters, parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";

const ofPage = { ETag: headerNamed("ETag") };

/** The user's own notifications: listed, marked as read and removed, all of them. */
export const handler = calls({
  GET: {
    id: "listNotifications",
    tag: "Users",
    summary: "List your notifications",
    description:
      "The newest come first: up to 100, for 90 days. `unread` counts all that are not read. " +
      "Send the `ETag` of a page in `If-None-Match` to get 304 while it is unchanged.\n\n" +
      "An API token sees notifications about jobs and quotas, and with the right to share " +
      "those about shares and requests.",
    token: "whole read",
    parameters: [
      ...pageParameters("20 unless given, and no more than 100"),
      parameterNamed("IfNoneMatch"),
    ],
    answers: {
      200: json("A page.", schemaNamed("Notifications"), ofPage),
      304: nothing("Not modified.", ofPage),
    },
    refusals: ["invalid_option", "precondition_failed"],
    examples: `
$ curl -s $CUBBY/api/notifications -H "X-Auth: $TOKEN" | jq -r .next
null
`,
    async handle(ctx) {
      return await notificationsAnswer(ctx);
    },
  },
  PATCH: {
    id: "markNotifications",
    tag: "Users",
    summary: "Mark all notifications as read, or as not read",
    description: "With `until`, later ones stay as they are.",
    body: jsonBody(notificationsChangeSchema.entries, ["read"]),
    answers: { 200: done },
    examples: `
$ curl -s -X PATCH $CUBBY/api/notifications -H "X-Auth: $TOKEN" --json '{"read": true}'
OK
$ curl -s $CUBBY/api/notifications -H "X-Auth: $TOKEN" | jq -r .unread
0
`,
    async handle(ctx, body) {
      const { user } = sessionOf(ctx);
      const change = read(notificationsChangeSchema, body);
      const until = change.until === undefined ? undefined : Date.parse(change.until);
      await ctx.state.cubby.notifications.records.markAll(user.id, change.read, until);
      return textAnswer("OK\n");
    },
  },
  DELETE: {
    id: "clearNotifications",
    tag: "Users",
    summary: "Remove all notifications",
    answers: { 200: done },
    examples: `
$ curl -s -X DELETE $CUBBY/api/notifications -H "X-Auth: $TOKEN"
OK
`,
    async handle(ctx) {
      await ctx.state.cubby.notifications.records.clear(sessionOf(ctx).user.id);
      return textAnswer("OK\n");
    },
  },
});
