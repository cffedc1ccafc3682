import { notificationsChangeSchema } from "../../../lib/shared/schemas/notification.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { notificationsAnswer } from "../../../lib/server/http/request/notification_requests.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { done, json, nothing } from "../../../lib/server/openapi/answers.ts";
import { headerNamed } from "../../../lib/server/openapi/headers.ts";
import { jsonBody } from "../../../lib/server/openapi/json_body.ts";
import { pageParameters, parameterNamed } from "../../../lib/server/openapi/parameters.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

const ofPage = { ETag: headerNamed("ETag") };

/** The user's own notifications: listed, marked as read and removed, all of them. */
export const handler = calls({
  GET: {
    id: "listNotifications",
    tag: "Users",
    summary: "List one's own notifications, the latest first",
    description: "The newest 100, for 90 days. An API token sees those about jobs and quotas, " +
      "and with the right to share those about shares and requests; one that is bound to a " +
      "folder sees none.",
    token: "whole read",
    parameters: [
      ...pageParameters("20 unless given, and no more than 100"),
      parameterNamed("IfNoneMatch"),
    ],
    answers: {
      200: json("A page.", schemaNamed("Notifications"), ofPage),
      304: nothing("It is the page that the client has.", ofPage),
    },
    refusals: ["invalid_option", "precondition_failed"],
    async handle(ctx) {
      return await notificationsAnswer(ctx);
    },
  },
  PATCH: {
    id: "markNotifications",
    tag: "Users",
    summary: "Mark all notifications as read, or as not read",
    body: jsonBody(notificationsChangeSchema.entries, ["read"]),
    answers: { 200: done },
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
    async handle(ctx) {
      await ctx.state.cubby.notifications.records.clear(sessionOf(ctx).user.id);
      return textAnswer("OK\n");
    },
  },
});
