import { type Context, HttpError } from "fresh";
import type { ErrorBody } from "../../../shared/schemas/session.ts";
import { DomainError, type ErrorCode } from "../../../shared/errors.ts";
import { acceptsJson } from "../request/accepts.ts";
import { jsonAnswer, textAnswer } from "./answers.ts";
import { statusOf } from "../openapi/statuses.ts";
import type { State } from "../define.ts";
import { withSecurityHeaders } from "../middleware/security_headers.ts";

/** Codes for the framework's own errors. */
const CODES_BY_STATUS: Record<number, ErrorCode> = {
  400: "invalid_path",
  401: "not_signed_in",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  413: "body_too_large",
};

/**
 * Answers a failed request: one sentence, or `{code, message}` when the client accepts JSON. Any
 * error other than a `DomainError` becomes a bare 500: no stack, no path, no file name.
 *
 * @param headers further ones, such as `Allow` or `Content-Range`
 */
export function errorResponse(
  error: unknown,
  req: Request,
  headers: Record<string, string> = {},
): Response {
  const refusal = refusalOf(error, req);
  const init = {
    status: statusOf(refusal.code),
    headers: { "cache-control": "no-store", ...retryAfter(refusal), ...headers },
  };
  const body: ErrorBody = { code: refusal.code, message: refusal.message, ...refusal.details };
  return acceptsJson(req) ? jsonAnswer(body, init) : textAnswer(`${body.message}\n`, init);
}

/** Faults of the server or of a disk, that of the store among them. */
const faults: readonly ErrorCode[] = ["internal", "disk_error", "disk_away", "disk_full"];

/** Whether an error is a fault of the server or of a disk, to be logged, and not a refusal. */
export function isUnexpected(error: unknown, req: Request): boolean {
  return faults.includes(refusalOf(error, req).code);
}

/** The refusal that an error stands for; `internal` for one that is no refusal. */
export function refusalOf(error: unknown, req: Request): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof HttpError) {
    const code = CODES_BY_STATUS[error.status];
    if (code) return new DomainError(code, sentence(code, req));
  }
  // The client disconnected: an error from reading its body is no fault of the server.
  if (req.signal.aborted) {
    return new DomainError("invalid_body", "Cannot read the request: it was cut off");
  }
  return new DomainError("internal", sentence("internal", req));
}

function sentence(code: ErrorCode, req: Request): string {
  switch (code) {
    case "not_found":
      return "Cannot answer the request: not found";
    case "method_not_allowed":
      return `Cannot answer ${req.method} here: this address does not have the method`;
    case "internal":
      return "Cannot answer the request: the server failed";
    case "not_signed_in":
      return "Cannot answer the request: sign in first";
    default:
      return "Cannot answer the request: it was refused";
  }
}

/** The header `Retry-After` of a refusal that ends by itself. */
export function retryAfter(refusal: DomainError): Record<string, string> {
  if (refusal.retryAfter === undefined) return {};
  return { "retry-after": String(Math.max(1, Math.ceil(refusal.retryAfter))) };
}

/** The HTTP status for an error: a refusal has its own, any other error is 500. */
export function errorStatus(error: unknown): number {
  if (error instanceof DomainError) return statusOf(error.code);
  return error instanceof HttpError ? error.status : 500;
}

/**
 * The response of the root `_404` and `_error` routes: an error of the API for paths below `/api/`,
 * their own page for all others. Those two run outside of the root middlewares, so the security
 * headers are added here.
 *
 * @param page renders the error page: `() => ctx.render(<NotFound />, { status: 404 })`
 */
export async function apiErrorOr(
  ctx: Context<State>,
  page: () => Response | Promise<Response>,
): Promise<Response> {
  return withSecurityHeaders(isApiCall(ctx) ? apiError(ctx) : await page());
}

/** Answers a failed call of the API, and logs the error when it is a fault of the server. */
export function apiError(ctx: Context<State>): Response {
  logUnexpected(ctx);
  return errorResponse(ctx.error, ctx.req);
}

/** Logs the error of a request, unless it is a refusal. Error pages call it as well. */
export function logUnexpected(ctx: Context<State>, error = ctx.error): void {
  if (!isUnexpected(error, ctx.req)) return;
  const { req, url, state } = ctx;
  state.cubby.log.line(`Failed: ${req.method} ${url.pathname}: ${reasonOf(error)}`, "error");
}

/** One sentence for what the code foresees, the stack for any other error. */
function reasonOf(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

/** Whether a request is for the API or a health probe, not for a page. */
export function isApiCall(ctx: Pick<Context<State>, "url" | "config">): boolean {
  return /^\/(?:api(?:\/.*)?|health(?:\/ready)?)$/.test(
    ctx.url.pathname.slice(ctx.config.basePath.length),
  );
}
