import type { Context } from "fresh";
import type { State } from "../../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { publicOrigin } from "./client_address.ts";

/**
 * Middleware: refuses requests that another site makes a visitor's browser send and that would
 * change something (cross-site request forgery).
 *
 * A request with `X-Auth` cannot be forged: no other site may set that header, since no preflight
 * is ever granted, and the cookie counts on GET and HEAD alone. What is left to check is what works
 * without it: signing in (as somebody else), and everything where no token is asked for because
 * the method is `noauth` or `proxy`. Browsers say where a request comes from; other clients say
 * nothing and pass.
 */
export async function refuseCrossSite(ctx: Context<State>): Promise<Response> {
  const { headers, method } = ctx.req;
  const safe = method === "GET" || method === "HEAD" || method === "OPTIONS";
  if (safe || headers.has("x-auth")) return await ctx.next();

  const site = headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return await ctx.next();
  const origin = headers.get("origin");
  if (site === null && origin === null) return await ctx.next();

  const { host } = publicOrigin(ctx.info, ctx.req, ctx.state.cubby.config.trustedProxies);
  if (origin !== null && hostOf(origin) === host) return await ctx.next();
  throw new DomainError(
    "forbidden",
    `Cannot accept a request from another site: it was sent to "${host}" by "${origin ?? site}"`,
  );
}

/**
 * Refuses a WebSocket that a page of another site has a visitor's browser open (cross-site WebSocket
 * hijacking): unlike answers to other requests, what comes over it could be read there. Browsers
 * always say whose page it is; other clients say nothing and pass.
 *
 * @throws DomainError `forbidden`
 */
export function refuseOtherOrigins(ctx: Context<State>): void {
  const { headers } = ctx.req;
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site") ?? "same-origin";
  const { host } = publicOrigin(ctx.info, ctx.req, ctx.state.cubby.config.trustedProxies);
  if (site === "same-origin" && (origin === null || hostOf(origin) === host)) return;
  throw new DomainError(
    "forbidden",
    `Cannot open a connection for another site: it was sent to "${host}" by "${origin ?? site}"`,
  );
}

/** The host of an `Origin`; "null" and nonsense have none. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
