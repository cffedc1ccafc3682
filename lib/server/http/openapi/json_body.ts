import type { ErrorCode } from "../../../shared/errors.ts";
import type { Schema } from "./types.ts";
import type * as v from "valibot";

/** Limits for reading a request body. */
export interface BodyLimits {
  /** In bytes; by default 1 MiB, or 16 KiB without a session. */
  bytes?: number;
  /** In milliseconds; default 30 s. */
  milliseconds?: number;
  /** Memory for each byte, with what is made of it; default 1. */
  held?: number;
}

/** Limits for reading a body of JSON. */
export interface JsonLimits extends BodyLimits {
  /** Most values and members in all; default 10,000. */
  values?: number;
}

/** Errors of a JSON body, which every call that declares one may answer. */
export const badJson: readonly ErrorCode[] = [
  ...["invalid_json", "invalid_body", "body_too_large", "busy"] as const,
];

/** Limits of a body that names no others. */
export const jsonLimits =
  "At most 1 MiB (16 KiB without a session), within 30 seconds; at most 10,000 values, and 32 " +
  "nested lists and objects.";

/** The field of a form with a captcha. */
export const captchaProof: Schema = {
  type: "string",
  description: "The result of the captcha's widget, where the server requires a captcha; it " +
    "works once. Ignored elsewhere.",
};

/** The field that proves that it is the user who asks, and no borrowed session. */
export const passwordProof: Schema = {
  type: "string",
  description: "Your password. Not needed where the server vouches for its users.",
};

/** A schema of JSON Schema, or one of valibot, which is converted when it is needed. */
export type AnySchema = Schema | v.GenericSchema;

/** A request body of JSON, as a call declares it. */
export interface JsonBody {
  /** The whole body, or the members of an object. */
  schema: AnySchema | { members: Readonly<Record<string, AnySchema>>; required: readonly string[] };
  /** Whether there has to be a body. */
  required: boolean;
  /** What to say about it, besides its schema; default its limits. */
  description?: string;
  /** The limits for reading it; the default ones when left out. */
  limits?: JsonLimits;
  /**
   * The objects in which unknown members are ignored, as File Browser does, since versions of its
   * clients send some: by path, with "" for the body itself and `rules[]` for items of a list.
   */
  lenientAt?: readonly string[];
  /** Whether the call reads it itself: in slices, or not in every configuration. */
  isReadByCall?: true;
}

type Options = Partial<Omit<JsonBody, "schema">>;

/** A request body of one JSON object. */
export function jsonBody(
  members: Readonly<Record<string, AnySchema>>,
  required: readonly string[],
  options: Options = {},
): JsonBody {
  return { schema: { members, required }, required: required.length > 0, ...options };
}

/** A request body of JSON that one schema describes. */
export function wholeBody(schema: AnySchema, options: Options = {}): JsonBody {
  return { schema, required: true, ...options };
}
