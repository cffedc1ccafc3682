import type { ErrorCode } from "../../shared/errors.ts";

/** What a call ends in: the caller must look at `ok` before it reaches the value. */
export type Result<T> = Success<T> | Failure;

/** A call that was answered as hoped. */
export interface Success<T> {
  ok: true;
  value: T;
}

/**
 * Why a call failed: a code of the server; `offline` when no answer came; `aborted` when the caller
 * gave up; `folder_changed` when rows moved between two answers; `unreadable` for a file of this
 * computer; `too_large` for a selection that does not go into one call; `into_itself` for a folder
 * that was to be put into itself; `unknown` for an answer without a code.
 */
export type FailureCode =
  | ErrorCode
  | "offline"
  | "aborted"
  | "folder_changed"
  | "unreadable"
  | "too_large"
  | "into_itself"
  | "unknown";

/** A call that was refused or never answered. */
export interface Failure {
  ok: false;
  /** The HTTP status; 0 when the server could not be reached. */
  status: number;
  code: FailureCode;
  /** One sentence of the server, in English; screens translate by the code. */
  message: string;
  /** Seconds after which a new attempt makes sense. */
  retryAfter?: number;
}

/** Wraps a value as the outcome of a call. */
export function success<T>(value: T): Success<T> {
  return { ok: true, value };
}

/** The outcome of a call that was refused or never answered. */
export function failure(status: number, code: FailureCode, message: string): Failure {
  return { ok: false, status, code, message };
}
