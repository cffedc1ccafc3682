import { DomainError, type ErrorCode } from "../../shared/errors.ts";

/** Bytes that are moved between threads and never copied. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A message to a worker; `id` tells its calls apart. */
export type Request =
  /** Calls one of the worker's functions. */
  | { id: number; name: string; args: unknown }
  /** The stream that the call has opened is read from now on. */
  | { id: number; begin: unknown; credits: number }
  /** So many more parts of the stream may be sent. */
  | { id: number; credits: number }
  | { id: number; cancel: true };

/** A message from a worker. */
export type Reply =
  /** The call returned; for a stream, it is complete. */
  | { id: number; result: unknown }
  /** The call begins a stream: what could be refused was not. */
  | { id: number; opened: unknown }
  | { id: number; part: Bytes }
  | { id: number; error: SentError }
  /** A sentence for the log. */
  | { note: string }
  /** There was no call for a while: the worker may be ended. */
  | { idle: true };

/** An error as it crosses threads: a refusal keeps its code, others only their text. */
export type SentError = { code: ErrorCode; message: string } | { failure: string };

/** The form in which an error is sent. */
export function sentError(error: unknown): SentError {
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  return { failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

/** The error that was sent. */
export function receivedError(error: SentError): Error {
  return "code" in error ? new DomainError(error.code, error.message) : new Error(error.failure);
}
