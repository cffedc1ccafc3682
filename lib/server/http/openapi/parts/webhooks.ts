import { webhookDraftSchema } from "../../../../shared/schemas/webhook.ts";
import { jsonBody, passwordProof } from "../json_body.ts";
import type { Parameter } from "../types.ts";

/** A webhook, in the path. */
export const webhookParameter: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "The webhook, as `GET /api/webhooks` names it.",
  schema: { type: "string", pattern: "^[\\w-]{16}$" },
};

/** The body of a call that makes or changes a webhook. */
export const webhookBody = jsonBody(
  { ...webhookDraftSchema.entries, current_password: passwordProof },
  ["name", "url", "events"],
);

/** Errors in what a webhook is to be. */
export const badWebhook = [
  "invalid_option",
  "invalid_path",
  "wrong_credentials",
  "throttled",
] as const;
