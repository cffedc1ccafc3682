import type { ErrorCode } from "../../shared/errors.ts";
import { refusals } from "./answers.ts";
import { headerNamed } from "./headers.ts";
import type { Answer, Operation, Parameter, Reference, RequestBody } from "./types.ts";

/** The groups of calls. */
export type Tag = "Sessions" | "Users" | "Resources" | "Content" | "Shares" | "Commands" | "Server";

/**
 * The credentials that a call accepts: none; the token in its header alone, for all changes; the
 * header or the cookie; or a ticket as well. A form cannot set a header: it sends a ticket. The
 * metrics have a token of their own.
 */
export type CallAuth = "none" | "token" | "cookie" | "ticket" | "form" | "metrics";

const security: Record<CallAuth, Operation["security"]> = {
  none: [],
  token: [{ token: [] }],
  cookie: [{ token: [] }, { cookie: [] }],
  ticket: [{ token: [] }, { cookie: [] }, { ticket: [] }],
  form: [{ token: [] }, { ticket: [] }],
  metrics: [{ metrics: [] }],
};

/** The documentation of one call. */
export interface Call {
  /** Its unique `operationId`. */
  id: string;
  tag: Tag;
  /** A short summary. */
  summary: string;
  /** Further details. */
  description?: string;
  auth: CallAuth;
  parameters?: (Parameter | Reference)[];
  body?: RequestBody;
  /** The successful responses, by status. */
  answers: Record<number, Answer>;
  /** Error codes, besides those of any such call. */
  refusals?: ErrorCode[];
}

/**
 * Converts a call to an operation of the document: adds the common errors (no token; another site,
 * or a foreign host name without sign-in), and the header that asks clients to renew tokens.
 */
export function call(call: Call): Operation {
  const knowsWho = call.auth !== "none" && call.auth !== "metrics";
  const codes: ErrorCode[] = [...call.refusals ?? [], "forbidden"];
  if (call.auth !== "none") codes.push("not_signed_in");
  if (knowsWho) codes.push("factor_setup_required");

  const answers: Record<string, Answer> = {};
  for (const [status, answer] of Object.entries(call.answers)) {
    answers[status] = knowsWho ? withRenewal(answer) : answer;
  }
  return {
    operationId: call.id,
    tags: [call.tag],
    summary: call.summary,
    description: call.description,
    parameters: call.parameters,
    requestBody: call.body,
    responses: { ...answers, ...refusals(codes) },
    security: security[call.auth],
  };
}

function withRenewal(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, "X-Renew-Token": headerNamed("RenewToken") } };
}
