import type { Context } from "../context.ts";

/** Answers a request, or hands it on with `ctx.next()`. */
export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;

/** @deprecated Use {@linkcode Middleware}. */
export type MiddlewareFn<State> = Middleware<State>;

/** A middleware, or an async function that returns one the first time it is called. */
export type MaybeLazyMiddleware<State> = (
  ctx: Context<State>,
) => Response | Promise<Response | Middleware<State>>;

/**
 * Runs the steps of a chain from the outside in; after the last one, `ctx.next()` calls `last`. A
 * step that returns a middleware instead of a response is replaced by it for good.
 */
export async function runChain<State>(
  steps: MaybeLazyMiddleware<State>[],
  ctx: Context<State>,
  last: () => Promise<Response>,
  index = 0,
): Promise<Response> {
  const step = steps[index];
  if (step === undefined) return await last();

  ctx.next = () => runChain(steps, ctx, last, index + 1);
  try {
    const result = await step(ctx);
    if (typeof result !== "function") return result;
    steps[index] = result;
    return await result(ctx);
  } catch (error) {
    ctx.error = error;
    throw error;
  }
}
