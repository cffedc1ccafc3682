import type { Context } from "fresh";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { errorResponse, isUnexpected } from "./error_response.ts";
import { withSecurityHeaders } from "../middleware/security_headers.ts";

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
