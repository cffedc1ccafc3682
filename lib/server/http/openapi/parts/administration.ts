import { auditActions } from "../../../../shared/schemas/choices/audit_choices.ts";
import type { Parameter, Schema } from "../types.ts";
import { webhookDraftSchema } from "../../../../shared/schemas/webhook.ts";
import { jsonBody, passwordProof } from "../json_body.ts";

export const moment =
  "`2026-01-31`, which begins at midnight in `zone`, or `2026-01-31T12:00:00Z`.";

export const filter: Parameter[] = [
  {
    name: "user",
    in: "query",
    description: "The name of a user, as a whole.",
    schema: { type: "string" },
  },
  {
    name: "action",
    in: "query",
    description: `One action or several, with commas between: ${auditActions.join(", ")}.`,
    schema: { type: "string" },
  },
  {
    name: "path",
    in: "query",
    description: "From a slash on, an entry with all below it, from the root of the server; " +
      "otherwise what the path contains, in any case.",
    schema: { type: "string" },
  },
  {
    name: "since",
    in: "query",
    description: `Nothing before: ${moment}`,
    schema: { type: "string" },
  },
  {
    name: "until",
    in: "query",
    description: `Nothing from then on: ${moment}`,
    schema: { type: "string" },
  },
  {
    name: "zone",
    in: "query",
    description: "The time zone of days, and of times in CSV: a name such as `Europe/Berlin`.",
    schema: { type: "string", default: "UTC" },
  },
];

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

export function statusSchema(word: string): Schema {
  return {
    type: "object",
    required: ["status"],
    properties: { status: { type: "string", const: word } },
  };
}
