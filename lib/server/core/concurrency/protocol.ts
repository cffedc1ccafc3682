import { DomainError, type ErrorCode } from "../../../shared/errors.ts";

/** Bytes that are transferred between threads, not copied. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A message to a worker; `id` identifies the call. */
export type Request =
  /** Calls one of the worker's functions. */
  | { id: number; name: string; args: unknown }
  /** The reader starts to read the call's open stream. */
  | { id: number; begin: unknown; credits: number }
  /** Grants credits for more parts of the stream. */
  | { id: number; credits: number }
  /** Acknowledges, or refuses, the oldest report of the call that was not answered yet. */
  | { id: number; acknowledged: true | SentError }
  | { id: number; cancel: true };

/** A message from a worker. */
export type Reply =
  /** The call returned; a stream is complete. */
  | { id: number; result: unknown }
  /** The call opened a stream: it was not refused. */
  | { id: number; opened: unknown }
  | { id: number; part: Bytes }
  /** A report of a call in progress. */
  | { id: number; report: unknown }
  | { id: number; error: SentError }
  /** A sentence to log. */
  | { note: string }
  /** The worker was idle for a while and may be ended. */
  | { idle: true };

/** An error between threads: a refusal keeps its code, others only their text. */
export type SentError = { code: ErrorCode; message: string } | { failure: string };

/** Serializes an error. */
export function sentError(error: unknown): SentError {
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  return { failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

/** Deserializes an error. */
export function receivedError(error: SentError): Error {
  return "code" in error ? new DomainError(error.code, error.message) : new Error(error.failure);
}

/** The buffers in a result: itself, those in an array, or its properties. */
export function buffersOf(result: unknown): ArrayBuffer[] {
  if (typeof result !== "object" || result === null) return [];
  const values = ArrayBuffer.isView(result) ? [result] : Object.values(result);
  return values.flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : []
  );
}
