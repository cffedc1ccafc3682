import type { ErrorCode } from "../../../shared/errors.ts";
import type { JsonBody } from "./json_body.ts";
import type { Answer, Parameter, Reference, RequestBody } from "./types.ts";

/** The groups of calls in the documentation. */
export type Tag = "Sessions" | "Users" | "Resources" | "Content" | "Shares" | "Commands" | "Server";

/**
 * Who may make a call: `anyone`; a `scraper` with the token for the metrics, which the call checks
 * itself; a `session`, or an API token with the right that the call names; a session that is still
 * `enrolling`, too, so must set up a second factor first; the session of an `admin`.
 */
export type Who = "anyone" | "scraper" | "session" | "enrolling" | "admin";

/**
 * The right that an API token needs for a call. A `whole` one refuses tokens that are bound to a
 * folder, as the call is about everything of the user. Which files a call may touch is not decided
 * here but by the gate, on the token's permissions and folder.
 */
export type TokenRight = "read" | "write" | "share" | "whole read" | "whole write";

/** The methods of a call. */
export type CallMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a call is: who may make it, what it takes, and what it answers. */
export interface CallDescription {
  /** Its unique `operationId`. */
  id: string;
  tag: Tag;
  /** A short summary, as a command: `List the groups`. */
  summary: string;
  /** Further details. */
  description?: string;
  /** Default `session`. */
  who?: Who;
  /** Absent for a call that no API token may make. */
  token?: TokenRight;
  /** Whether a ticket in the address stands for the session. */
  ticket?: true;
  parameters?: readonly (Parameter | Reference)[];
  body?: JsonBody | RequestBody;
  /** The successful responses, by status. */
  answers: Record<number, Answer>;
  /** Error codes, besides those that follow from who may make it and from a JSON body. */
  refusals?: readonly ErrorCode[];
  /**
   * Commands of a shell, each after `$ `, and what they print. The reference in docs/api shows them
   * and the tests run them, in the order of its pages.
   */
  examples?: string;
}

/** The JSON body that a call declares, if it takes one. */
export function jsonBodyOf({ body }: CallDescription): JsonBody | undefined {
  return body && "schema" in body ? body : undefined;
}

/** A call with its address: `/api/groups/{id}`. */
export interface FoundCall {
  method: CallMethod;
  path: string;
  call: CallDescription;
}
