import { json, list, text } from "../answers.ts";
import { call } from "../call.ts";
import { badJson, jsonBody } from "../json_body.ts";
import { listParameters } from "../parameters.ts";
import { schemaNamed, webhookDraft } from "../schemas.ts";
import type { Parameter, PathItem } from "../types.ts";

const tag = "Server";

const id: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "The webhook, as `GET /api/webhooks` names it.",
  schema: { type: "string", pattern: "^[\\w-]{16}$" },
};

const currentPassword = {
  type: "string",
  description: "The password of the one who asks. Not where the server vouches for its users.",
} as const;

const body = jsonBody(
  { ...webhookDraft, current_password: currentPassword },
  ["name", "url", "events"],
);

const unread = ["invalid_option", "invalid_path", "wrong_credentials", "throttled"] as const;

/** The calls about webhooks. */
export const webhookCalls: Record<string, PathItem> = {
  "/api/webhooks": {
    get: call({
      id: "listWebhooks",
      tag,
      summary: "List the webhooks",
      description: "For administrators, the oldest first, with their last deliveries.",
      auth: "cookie",
      parameters: listParameters("the name"),
      answers: { 200: list("The list.", schemaNamed("Webhook")) },
      refusals: ["invalid_option", "not_supported"],
    }),
    post: call({
      id: "addWebhook",
      tag,
      summary: "Add a webhook",
      description: "For administrators. Events are sent as `POST` with JSON, signed as Standard " +
        "Webhooks has it, to addresses of the internet alone, unless the server was started with " +
        "others. There are at most 20.",
      auth: "token",
      body,
      answers: { 201: json("The webhook and its secret.", schemaNamed("NewWebhook")) },
      refusals: [...badJson, ...unread, "exists", "not_supported"],
    }),
  },

  "/api/webhooks/{id}": {
    get: call({
      id: "readWebhook",
      tag,
      summary: "Show a webhook",
      description: "For administrators.",
      auth: "cookie",
      parameters: [id],
      answers: { 200: json("The webhook.", schemaNamed("Webhook")) },
      refusals: ["not_found", "not_supported"],
    }),
    put: call({
      id: "changeWebhook",
      tag,
      summary: "Change a webhook as a whole",
      description:
        "For administrators. One that has ended for its failures begins anew; one that " +
        "is switched off forgets the events that wait.",
      auth: "token",
      parameters: [id],
      body,
      answers: { 200: json("The webhook as it is now.", schemaNamed("Webhook")) },
      refusals: [...badJson, ...unread, "not_found", "not_supported"],
    }),
    delete: call({
      id: "removeWebhook",
      tag,
      summary: "Remove a webhook",
      description: "For administrators. Events that wait are forgotten.",
      auth: "token",
      parameters: [id],
      body: jsonBody({ current_password: currentPassword }, []),
      answers: { 200: text("It is gone.", schemaNamed("Empty")) },
      refusals: [
        ...["invalid_json", "body_too_large", "wrong_credentials", "throttled"] as const,
        ...["not_found", "not_supported"] as const,
      ],
    }),
  },

  "/api/webhooks/{id}/secret": {
    post: call({
      id: "renewWebhookSecret",
      tag,
      summary: "Give a webhook a new secret",
      description: "For administrators. Deliveries are signed with the new secret from then on, " +
        "and with the former one as well for 24 hours: the header has both signatures, with a " +
        "space between them.",
      auth: "token",
      parameters: [id],
      body: jsonBody({ current_password: currentPassword }, []),
      answers: { 200: json("The webhook and its new secret.", schemaNamed("NewWebhook")) },
      refusals: [
        ...["invalid_json", "body_too_large", "wrong_credentials", "throttled"] as const,
        ...["not_found", "not_supported"] as const,
      ],
    }),
  },

  "/api/webhooks/{id}/test": {
    post: call({
      id: "testWebhook",
      tag,
      summary: "Send a test event to a webhook",
      description: "For administrators, also to one that is off. It is sent once, before the " +
        "answer, whose first delivery tells what came of it.",
      auth: "token",
      parameters: [id],
      answers: { 200: json("The webhook with this delivery.", schemaNamed("Webhook")) },
      refusals: ["not_found", "not_supported"],
    }),
  },
};
