import { HttpError } from "fresh";
import { DomainError } from "../errors.ts";
import { statusOf } from "../http/statuses.ts";

/** The HTTP status of a page that says what went wrong. */
export function errorStatus(error: unknown): number {
  if (error instanceof DomainError) return statusOf(error.code);
  return error instanceof HttpError ? error.status : 500;
}
