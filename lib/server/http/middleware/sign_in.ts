import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { mustEnrol } from "../../features/accounts/auth/factors/must_enrol.ts";
import type { Caller, SignedIn } from "../../features/accounts/auth/session.ts";
import type { State } from "../define.ts";
import { isDavAddress, isOcsAddress } from "../dav/dav_address.ts";
import { implicitSession } from "./implicit_sessions.ts";
import { proxyUser } from "./proxy_user.ts";
import { byCookieWord, forgetSessionCookie, readSessionCookie } from "../request/auth/cookies.ts";
import { presentedToken } from "../request/auth/credentials.ts";
import { isCall, requestPath } from "../request/request_path.ts";
import { isApiCall } from "../response/error_response.ts";
import { cookieScope } from "../response/session_answers.ts";

/** Calls that accept a ticket, as browsers request them by a URL without headers. */
const ticketUses = ["raw", "command"] as const;

/**
 * Middleware: authenticates the request and sets `ctx.state.signedIn`. It refuses no request: pages
 * redirect to the sign-in form, calls by their declarations. WebDAV and OCS sign in by themselves.
 */
export async function signIn(ctx: Context<State>): Promise<Response> {
  if (isDavAddress(ctx) || isOcsAddress(ctx)) return await ctx.next();
  const secret = isApiCall(ctx) ? presentedToken(ctx.req.headers) : undefined;
  if (secret !== undefined) return await signInByToken(ctx, secret);
  if (ctx.state.cubby.config.authMethod === "proxy") return await signInByProxy(ctx);
  const caller = await identify(ctx);
  if (caller && mustEnrol(caller, ctx.state.cubby.config)) ctx.state.enrolling = caller;
  else ctx.state.signedIn = caller;
  return await ctx.next();
}

/**
 * Middleware: tells the client to renew its token when less than half of its life is left or its
 * user has changed since.
 */
export async function announceRenewal(ctx: Context<State>): Promise<Response> {
  const answer = await ctx.next();
  if ((ctx.state.signedIn ?? ctx.state.enrolling)?.stale) {
    answer.headers.set("x-renew-token", "true");
  }
  return answer;
}

/**
 * The one who makes the request, by a session or an API token.
 *
 * @throws DomainError `not_signed_in`; `factor_setup_required`
 */
export function signedInOf(ctx: Pick<Context<State>, "state">): Caller {
  const { signedIn, enrolling } = ctx.state;
  if (signedIn) return signedIn;
  if (enrolling) {
    const message = "Cannot answer the request: set up a second factor first";
    throw new DomainError("factor_setup_required", message);
  }
  throw new DomainError("not_signed_in", "Cannot answer the request: sign in first");
}

/**
 * The session of the request, for what no API token may do.
 *
 * @throws DomainError `not_signed_in`; `forbidden` for an API token
 */
export function sessionOf(ctx: Pick<Context<State>, "state">): SignedIn {
  const { session, token: _, ...caller } = signedInOf(ctx);
  if (session) return { ...caller, session };
  throw new DomainError("forbidden", "Cannot answer the request: this call requires a session");
}

/**
 * The session of the request, also one that may do nothing but set up a second factor.
 *
 * @throws DomainError `not_signed_in`; `forbidden` for an API token
 */
export function ownSessionOf(ctx: Pick<Context<State>, "state">): SignedIn {
  return ctx.state.enrolling ?? sessionOf(ctx);
}

/**
 * The session of the request, which must be an administrator's.
 *
 * @param action the refused action, for the message: `list the users`
 * @throws DomainError `not_signed_in`; `forbidden`
 */
export function adminOf(ctx: Pick<Context<State>, "state">, action: string): SignedIn {
  const signedIn = sessionOf(ctx);
  if (signedIn.user.perm.admin) return signedIn;
  throw new DomainError("forbidden", `Cannot ${action}: administrator rights required`);
}

/**
 * Under `proxy` a request without the proxy's header is anonymous, whatever token, ticket or cookie
 * it carries: a stolen one is worth nothing at the server's own port (GHSA-v3jv-rmh2-635j). They
 * count only together with a header that names the same user. A call with another user's
 * credentials is refused, as it was meant to run as that user. A page follows the proxy and clears
 * the cookie, which would otherwise outlast the change of user at the proxy.
 */
async function signInByProxy(ctx: Context<State>): Promise<Response> {
  const user = await proxyUser(ctx);
  if (!user) return await ctx.next();
  const presented = await unlessRefused(authenticate(ctx));
  const isOther = presented !== undefined && presented.user.id !== user.id;
  if (isOther && isApiCall(ctx)) return await ctx.next();

  ctx.state.signedIn = presented && !isOther
    ? presented
    : await implicitSession(ctx.state.cubby, user);
  const answer = await ctx.next();
  if (isOther) answer.headers.append("set-cookie", forgetSessionCookie(cookieScope(ctx)));
  return answer;
}

/**
 * An API token decides alone: where it is dead no cookie, proxy or implicit session stands in for
 * it, which could do more. Under `proxy` it counts only with the proxy's word for its user.
 */
async function signInByToken(ctx: Context<State>, secret: string): Promise<Response> {
  const { apiTokens, config } = ctx.state.cubby;
  const caller = await unlessRefused(apiTokens.authenticate(secret, ctx.state.address));
  const isVouchedFor = config.authMethod !== "proxy" ||
    (caller !== undefined && (await proxyUser(ctx))?.id === caller.user.id);
  if (isVouchedFor) ctx.state.signedIn = caller;
  return await ctx.next();
}

/**
 * Under `json`, the session of the token, ticket or cookie. Under `noauth`, the implicit session
 * replaces a missing token, and overrules another user's.
 */
async function identify(ctx: Context<State>): Promise<SignedIn | undefined> {
  const presented = await unlessRefused(authenticate(ctx));
  const user = await proxyUser(ctx);
  if (!user || presented?.user.id === user.id) return presented;
  return await implicitSession(ctx.state.cubby, user);
}

/**
 * A token in `X-Auth` decides; on GET and HEAD alone a ticket in the query, then the cookie, also
 * beside a value that is no ticket: earlier front ends of File Browser put their token there. A
 * download form also sends a ticket, which another site cannot have. A renewal may be by the
 * cookie, too, if `X-Auth` says so: no other site may set that header.
 */
async function authenticate(ctx: Context<State>): Promise<SignedIn | undefined> {
  const { req, url, state } = ctx;
  const { sessions } = state.cubby;
  const header = req.headers.get("x-auth");
  const byCookie = header === byCookieWord && isCall(ctx, "renew");
  if (header && !byCookie) return await sessions.authenticate(header);
  const isRead = req.method === "GET" || req.method === "HEAD";
  const ticket = url.searchParams.get("auth");
  const use = ticketUses.find((call) => isCall(ctx, call));
  const isForm = req.method === "POST" && use === "raw";
  if (ticket !== null && use !== undefined && (isRead || isForm)) {
    const { path } = requestPath(ctx, use);
    const redeemed = await unlessRefused(sessions.redeemTicket(ticket, { path, use }));
    if (redeemed) return redeemed;
  }
  if (!isRead && !byCookie) return undefined;
  const cookie = readSessionCookie(req.headers);
  return cookie === undefined ? undefined : await sessions.authenticate(cookie);
}

async function unlessRefused<T extends Caller>(
  signedIn: Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await signedIn;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_signed_in") return undefined;
    throw error;
  }
}
