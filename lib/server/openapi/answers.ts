import type { ErrorCode } from "../../shared/errors.ts";
import { statusOf } from "../http/response/statuses.ts";
import { errorMeanings } from "./error_meanings.ts";
import { headerNamed } from "./headers.ts";
import { schemaNamed } from "./schemas.ts";
import type { Answer, Header, Reference, Schema } from "./types.ts";

type Headers = Record<string, Header | Reference>;

/** A JSON response. */
export function json(description: string, schema: Schema, headers?: Headers): Answer {
  return { description, headers, content: { "application/json": { schema } } };
}

/** A list, or a page of it. */
export function list(description: string, items: Schema): Answer {
  const headers = { Link: headerNamed("NextPage"), "X-Total-Count": headerNamed("TotalCount") };
  return json(description, { type: "array", items }, headers);
}

/** A plain text response. */
export function text(description: string, schema: Schema, headers?: Headers): Answer {
  return { description, headers, content: { "text/plain": { schema } } };
}

/** A binary response, in one of these media types. */
export function bytes(description: string, types: readonly string[], headers?: Headers): Answer {
  return { description, headers, content: Object.fromEntries(types.map((type) => [type, {}])) };
}

/** A response without a body. */
export function nothing(description: string, headers?: Headers): Answer {
  return { description, headers };
}

/** Headers of error responses, by status. */
const headersByStatus: Record<string, Headers> = {
  "416": { "Content-Range": headerNamed("UnsatisfiedRange") },
  "429": { "Retry-After": headerNamed("RetryAfter") },
  "503": { "Retry-After": headerNamed("RetryAfter") },
};

/** The error responses by status, each with its possible codes. */
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
