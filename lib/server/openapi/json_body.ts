import type { ErrorCode } from "../../shared/errors.ts";
import type { RequestBody, Schema } from "./types.ts";

/** Errors of a JSON body. */
export const badJson: readonly ErrorCode[] = [
  ...["invalid_json", "invalid_body", "body_too_large", "busy"] as const,
];

/** Limits of a body that names no others. */
export const jsonLimits =
  "Up to 1 MiB, 16 KiB without a session, to arrive within 30 seconds; up to 10,000 values, and 32 " +
  "lists and objects in one another.";

/** The field of a form with a captcha. */
export const captchaProof: Schema = {
  type: "string",
  description:
    "What the widget of the captcha gave, where the server wants one solved; it counts " +
    "once. Not read elsewhere.",
};

/** A request body of one JSON object. */
export function jsonBody(properties: Record<string, Schema>, required: string[]): RequestBody {
  return {
    description: jsonLimits,
    required: required.length > 0,
    content: { "application/json": { schema: { type: "object", required, properties } } },
  };
}
