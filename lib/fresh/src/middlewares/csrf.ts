import type { Context } from "../context.ts";
import { HttpError } from "../error.ts";
import type { Middleware } from "./mod.ts";

/** The origins that {@linkcode csrf} trusts. */
export interface CsrfOptions<State = unknown> {
  /** The origins that may send requests, or a function that decides; default: the site's own. */
  origin?:
    | string
    | string[]
    | ((origin: string, ctx: Context<State>) => boolean);
}

/**
 * Refuses requests that a page of another site makes in the name of the user (CWE-352). Safe
 * methods pass, and so do clients that send neither Sec-Fetch-Site nor Origin: those are no
 * browsers, and carry no cookies of their own accord.
 *
 * The middleware throws an {@linkcode HttpError} 403.
 */
export function csrf<State>(options: CsrfOptions<State> = {}): Middleware<State> {
  return async function csrf(ctx) {
    const { method, headers } = ctx.req;
    if (method === "GET" || method === "HEAD" || method === "OPTIONS") {
      return await ctx.next();
    }

    const site = headers.get("sec-fetch-site");
    const origin = headers.get("origin");
    const passes = site === "same-origin" || site === "none" ||
      (origin === null ? site === null : isAllowed(origin, ctx, options.origin));
    if (!passes) throw new HttpError(403);
    return await ctx.next();
  };
}

function isAllowed<State>(
  origin: string,
  ctx: Context<State>,
  allowed: CsrfOptions<State>["origin"],
): boolean {
  if (allowed === undefined || allowed === "") return origin === ctx.url.origin;
  if (typeof allowed === "function") return allowed(origin, ctx);
  return [allowed].flat().includes(origin);
}
