import type { ErrorCode } from "../../shared/errors.ts";
import { statusOf } from "../http/response/statuses.ts";
import { errorMeanings } from "./error_meanings.ts";
import { headerNamed } from "./headers.ts";
import { schemaNamed } from "./object_of.ts";
import type { Answer, Header, Reference, Schema } from "./types.ts";

type Headers = Record<string, Header | Reference>;

/** An answer of JSON. */
export function json(description: string, schema: Schema, headers?: Headers): Answer {
  return { description, headers, content: { "application/json": { schema } } };
}

/** An answer of plain text. */
export function text(description: string, schema: Schema, headers?: Headers): Answer {
  return { description, headers, content: { "text/plain": { schema } } };
}

/** An answer of bytes, in one of these media types. */
export function bytes(description: string, types: readonly string[], headers?: Headers): Answer {
  return { description, headers, content: Object.fromEntries(types.map((type) => [type, {}])) };
}

/** An answer without a body. */
export function nothing(description: string, headers?: Headers): Answer {
  return { description, headers };
}

/** What the statuses of refusals carry besides their bodies. */
const headersByStatus: Record<string, Headers> = {
  "416": { "Content-Range": headerNamed("UnsatisfiedRange") },
  "429": { "Retry-After": headerNamed("RetryAfter") },
  "503": { "Retry-After": headerNamed("RetryAfter") },
};

/** The answers that refuse, by status, each with the codes that it may have. */
export function refusals(codes: readonly ErrorCode[]): Record<string, Answer> {
  const byStatus = Object.groupBy(new Set(codes), (code) => String(statusOf(code)));
  const answers: Record<string, Answer> = {};
  for (const [status, alike = []] of Object.entries(byStatus)) {
    answers[status] = refusal(alike, headersByStatus[status]);
  }
  return answers;
}

function refusal(codes: ErrorCode[], headers?: Headers): Answer {
  const meanings = codes.map((code) => `\`${code}\`: ${errorMeanings[code]}`);
  const error: Schema = {
    ...schemaNamed("Error"),
    type: "object",
    properties: { code: { enum: codes } },
  };
  const sentence = schemaNamed("Sentence");
  const content = {
    "application/json": { schema: error },
    "text/plain": { schema: sentence },
  };
  return { description: meanings.join(".\n"), headers, content };
}
