import { HttpError } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { statusOf } from "./statuses.ts";

/** The HTTP status for an error: a refusal has its own, any other error is 500. */
export function errorStatus(error: unknown): number {
  if (error instanceof DomainError) return statusOf(error.code);
  return error instanceof HttpError ? error.status : 500;
}
