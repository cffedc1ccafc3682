import { json, nothing, text } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { badJson, jsonBody } from "../json_body.ts";
import { pageParameters, parameterNamed } from "../parameters.ts";
import { notificationsChange, schemaNamed } from "../schemas.ts";
import type { Parameter, PathItem } from "../types.ts";

const tag = "Users";

const done = text("It is done.", schemaNamed("Done"));

const ofPage = { ETag: headerNamed("ETag") };

const id: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "The notification, as `GET /api/notifications` names it.",
  schema: { type: "string" },
};

const { read } = notificationsChange;

/** The calls about one's own notifications. */
export const notificationCalls: Record<string, PathItem> = {
  "/api/notifications": {
    get: call({
      id: "listNotifications",
      tag,
      summary: "List one's own notifications, the latest first",
      description: "The newest 100, for 90 days. An API token sees those about jobs and quotas, " +
        "and with the right to share those about shares and requests; one that is bound to a " +
        "folder sees none.",
      auth: "cookie",
      parameters: [
        ...pageParameters("20 unless given, and no more than 100"),
        parameterNamed("IfNoneMatch"),
      ],
      answers: {
        200: json("A page.", schemaNamed("Notifications"), ofPage),
        304: nothing("It is the page that the client has.", ofPage),
      },
      refusals: ["invalid_option", "precondition_failed"],
    }),
    patch: call({
      id: "markNotifications",
      tag,
      summary: "Mark all notifications as read, or as not read",
      auth: "token",
      body: jsonBody(notificationsChange, ["read"]),
      answers: { 200: done },
      refusals: [...badJson],
    }),
    delete: call({
      id: "clearNotifications",
      tag,
      summary: "Remove all notifications",
      auth: "token",
      answers: { 200: done },
    }),
  },

  "/api/notifications/{id}": {
    patch: call({
      id: "markNotification",
      tag,
      summary: "Mark a notification as read, or as not read",
      auth: "token",
      parameters: [id],
      body: jsonBody({ ...read && { read } }, ["read"]),
      answers: { 200: done },
      refusals: [...badJson, "not_found"],
    }),
    delete: call({
      id: "removeNotification",
      tag,
      summary: "Remove a notification",
      auth: "token",
      parameters: [id],
      answers: { 200: done },
      refusals: ["not_found"],
    }),
  },
};
