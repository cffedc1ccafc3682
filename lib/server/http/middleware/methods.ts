import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { errorResponse } from "../response/error_response.ts";

/** Handler of one method of one route. */
export type MethodHandler<State> = (ctx: Context<State>) => Response | Promise<Response>;

/** The methods of a route; HEAD and OPTIONS follow from these. */
export type MethodHandlers<State> = Partial<
  Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE", MethodHandler<State>>
>;

/**
 * Combines a route's methods into one handler: HEAD runs GET and drops the body, OPTIONS answers
 * 204, anything else 405; both with `Allow` (RFC 9110, 9.3 and 15.5.6).
 *
 * A GET handler that opens files checks `ctx.req.method`, so that HEAD opens none.
 */
export function methods<State>(
  handlers: MethodHandlers<State>,
): (ctx: Context<State>) => Promise<Response> {
  const allow = allowed(handlers);
  return async function answer(ctx) {
    const { method } = ctx.req;
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
    if (method === "HEAD" && handlers.GET) return await withoutBody(await handlers.GET(ctx));

    const handler = Object.hasOwn(handlers, method)
      ? handlers[method as keyof MethodHandlers<State>]
      : undefined;
    if (handler) return await handler(ctx);
    const refusal = new DomainError(
      "method_not_allowed",
      `Cannot answer ${method} here: allowed are ${allow}`,
    );
    return errorResponse(refusal, ctx.req, { allow });
  };
}

function allowed<State>(handlers: MethodHandlers<State>): string {
  const names = new Set<string>(Object.keys(handlers));
  if (names.has("GET")) names.add("HEAD");
  names.add("OPTIONS");
  return [...names].sort().join(", ");
}

async function withoutBody(answer: Response): Promise<Response> {
  await answer.body?.cancel();
  const { status, statusText, headers } = answer;
  return new Response(null, { status, statusText, headers });
}
