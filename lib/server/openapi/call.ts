import type { ErrorCode } from "../../shared/errors.ts";
import { refusals } from "./answers.ts";
import { headerNamed } from "./headers.ts";
import type { Answer, Operation, Parameter, Reference, RequestBody } from "./types.ts";

/** The groups that calls come in. */
export type Tag = "Sessions" | "Users" | "Resources" | "Content" | "Shares" | "Commands" | "Server";

/**
 * How a call wants to know who is asking: not at all; by the token in its header alone, as all do
 * that change something; by the header or the cookie; or by a ticket as well. A form has no header:
 * it shows a ticket.
 */
export type Proof = "none" | "token" | "cookie" | "ticket" | "form";

const security: Record<Proof, Operation["security"]> = {
  none: [],
  token: [{ token: [] }],
  cookie: [{ token: [] }, { cookie: [] }],
  ticket: [{ token: [] }, { cookie: [] }, { ticket: [] }],
  form: [{ token: [] }, { ticket: [] }],
};

/** What there is to say of one call. */
export interface Call {
  /** A name for it in programs, of its own. */
  id: string;
  tag: Tag;
  /** What it does, in a few words. */
  summary: string;
  /** What else there is to know. */
  description?: string;
  proof: Proof;
  parameters?: (Parameter | Reference)[];
  body?: RequestBody;
  /** The answers that grant, by status. */
  answers: Record<number, Answer>;
  /** The codes of those that refuse, besides the ones that any such call has. */
  refusals?: ErrorCode[];
}

/**
 * A call as the document has it: with the refusals that everybody meets (no token; another site,
 * or a foreign host name without sign-in), and the header by which a client learns to renew.
 */
export function call(call: Call): Operation {
  const knowsWho = call.proof !== "none";
  const codes: ErrorCode[] = [...call.refusals ?? [], "forbidden"];
  if (knowsWho) codes.push("not_signed_in");

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
    security: security[call.proof],
  };
}

function withRenewal(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, "X-Renew-Token": headerNamed("RenewToken") } };
}
