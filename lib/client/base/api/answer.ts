import type { ErrorBody } from "../../../shared/api_types.ts";
import { type Failure, failure, type FailureCode } from "../../../shared/result.ts";

/**
 * The failure of a call without an answer: it was aborted, its file cannot be read, or the server
 * could not be reached.
 */
export function failureOfThrow(error: unknown): Failure {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "AbortError") return failure(0, "aborted", "The call was given up");
  return name === "NotReadableError"
    ? failure(0, "unreadable", "The file can't be read any more")
    : failure(0, "offline", "The server can't be reached");
}

/**
 * Reads an unsuccessful answer: `{code, message}`, or a sentence of a proxy.
 *
 * @param retryAfter the `Retry-After` header, in seconds or as a date (RFC 9110 section 10.2.3)
 */
export function failureOfAnswer(status: number, body: string, retryAfter: string | null): Failure {
  const read = failure(status, codeOf(status), body.trim().slice(0, 300));
  try {
    const { code, message, factors } = JSON.parse(body) as Partial<ErrorBody>;
    if (typeof code === "string") read.code = code as FailureCode;
    if (typeof message === "string") read.message = message;
    if (Array.isArray(factors)) read.factors = factors;
  } catch {
    // Not JSON: the text itself is the message.
  }
  const seconds = secondsOf(retryAfter);
  if (seconds !== undefined) read.retryAfter = seconds;
  return read;
}

const CODES: Record<number, FailureCode> = {
  401: "not_signed_in",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  409: "exists",
  412: "precondition_failed",
  413: "body_too_large",
  429: "throttled",
  500: "internal",
  501: "not_supported",
  507: "disk_full",
};

/** The error code of a status, for responses without a body: HEAD, and proxies. */
function codeOf(status: number): FailureCode {
  return CODES[status] ?? "unknown";
}

function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null || retryAfter === "") return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const until = Date.parse(retryAfter) - Date.now();
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil(until / 1000));
}
