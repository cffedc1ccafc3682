import type { ErrorCode } from "../../../shared/errors.ts";
import { type CallDescription, type CallMethod, jsonBodyOf } from "./call.ts";
import { statusOf } from "./statuses.ts";
import { errorMeanings } from "./error_meanings.ts";
import { headerNamed, schemaNamed } from "./answers.ts";
import { parameterNamed } from "./parameters.ts";
import { badJson, jsonLimits } from "./json_body.ts";
import { bodySchema } from "./schemas.ts";
import type { Answer, Header, Operation, Reference, RequestBody, Schema } from "./types.ts";

type Headers = Record<string, Header | Reference>;

/**
 * Converts a call to an operation of the document: adds its credentials, the errors that follow
 * from them (no token; many wrong ones; another site, or a foreign host name without sign-in) and from
 * a JSON body, and the header that asks clients to renew tokens.
 */
export function operationOf(method: CallMethod, call: CallDescription): Operation {
  const { who = "session" } = call;
  const knowsWho = who !== "anyone" && who !== "scraper";

  const answers: Record<string, Answer> = {};
  for (const [status, answer] of Object.entries(call.answers)) {
    answers[status] = knowsWho ? withRenewal(answer) : answer;
  }
  return {
    operationId: call.id,
    tags: [call.tag],
    summary: call.summary,
    description: descriptionOf(call),
    parameters: parametersOf(call),
    requestBody: bodyOf(call),
    responses: { ...answers, ...refusals(refusalsOf(call)) },
    security: credentialsOf(method, call),
  };
}

/** The parameters of a call; a path in its address can be in the query as well. */
function parametersOf({ parameters }: CallDescription): Operation["parameters"] {
  const hasPath = parameters?.some((one) =>
    "$ref" in one ? one.$ref.endsWith("/Path") : one.in === "path" && one.name === "path"
  );
  return hasPath ? [...parameters ?? [], parameterNamed("PathInQuery")] : parameters?.slice();
}

/** What a call does, and whether administrators alone may make it. */
function descriptionOf({ who, description }: CallDescription): string | undefined {
  if (who !== "admin") return description;
  return description === undefined ? "For administrators." : `For administrators. ${description}`;
}

/** The error codes of a call: its own, and those that follow from its body and its callers. */
export function refusalsOf(call: CallDescription): ErrorCode[] {
  const { who = "session", refusals = [] } = call;
  const codes: ErrorCode[] = [...jsonBodyOf(call) ? badJson : [], ...refusals, "forbidden"];
  if (who !== "anyone") codes.push("not_signed_in");
  if (who !== "anyone" && who !== "scraper") codes.push("throttled");
  if (who === "session" || who === "admin") codes.push("factor_setup_required");
  return [...new Set(codes)];
}

/**
 * The credentials that a call accepts. A change takes a token in a header, which no other site can
 * set; a form cannot set one either, so it sends a ticket.
 */
function credentialsOf(
  method: CallMethod,
  { who, token, ticket }: CallDescription,
): Operation["security"] {
  if (who === "anyone") return [];
  if (who === "scraper") return [{ metrics: [] }];
  return [
    { token: [] },
    ...method === "GET" ? [{ cookie: [] }] : [],
    ...ticket ? [{ ticket: [] }] : [],
    ...token ? [{ apiToken: [] }] : [],
  ];
}

function bodyOf({ body }: CallDescription): RequestBody | undefined {
  if (!body || "content" in body) return body;
  const { description = jsonLimits, required } = body;
  return { description, required, content: { "application/json": { schema: bodySchema(body) } } };
}

function withRenewal(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, "X-Renew-Token": headerNamed("RenewToken") } };
}

/** Headers of error responses, by status. */
const headersByStatus: Record<string, Headers> = {
  "416": { "Content-Range": headerNamed("UnsatisfiedRange") },
  "429": { "Retry-After": headerNamed("RetryAfter") },
  "503": { "Retry-After": headerNamed("RetryAfter") },
};

/** The error responses by status, each with its possible codes. */
function refusals(codes: readonly ErrorCode[]): Record<string, Answer> {
  const byStatus = Object.groupBy(codes, (code) => String(statusOf(code)));
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
