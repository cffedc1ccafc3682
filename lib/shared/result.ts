import type { ErrorCode } from "./errors.ts";
import type { FactorMethod } from "./schemas/choices/choices.ts";

/** The outcome of a call: check `ok` before reading the value. */
export type Result<T> = Success<T> | Failure;

/** A successful call. */
export interface Success<T> {
  ok: true;
  value: T;
}

/**
 * The code of a failed call: one of the server; `offline` when no answer came; `aborted` by the
 * caller; `folder_changed` when rows moved between two answers; `unreadable` for a file of this
 * computer; `too_large` for a selection beyond the limit of one download, `too_much` of one job;
 * `into_itself` for a folder moved into itself; `unknown` for an answer without a code.
 */
export type FailureCode =
  | ErrorCode
  | "offline"
  | "aborted"
  | "folder_changed"
  | "unreadable"
  | "too_large"
  | "too_much"
  | "into_itself"
  | "unknown";

/** A call that was refused or got no answer. */
export interface Failure {
  ok: false;
  /** The HTTP status; 0 when the server could not be reached. */
  status: number;
  code: FailureCode;
  /** The server's sentence, in English; screens translate by the code. */
  message: string;
  /** Seconds until a retry makes sense. */
  retryAfter?: number;
  /** The factors that can prove who the user is, with `second_factor_required`. */
  factors?: FactorMethod[];
}

/** Wraps a value as the result of a call. */
export function success<T>(value: T): Success<T> {
  return { ok: true, value };
}

/** The result of a call that was refused or got no answer. */
export function failure(status: number, code: FailureCode, message: string): Failure {
  return { ok: false, status, code, message };
}
