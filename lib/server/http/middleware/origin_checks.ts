import type { Context } from "fresh";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { peerAddress, publicOrigin } from "./client_address.ts";
import { isIP } from "node:net";
import { isLoopback } from "../../../shared/loopback.ts";
import { takesPasswords } from "../../core/config/config.ts";
import { isCall } from "../request/request_path.ts";
import { isTrusted } from "../../core/config/trusted_proxies.ts";

/**
 * Middleware: refuses state-changing requests that another site makes a user's browser send
 * (cross-site request forgery).
 *
 * A request with `X-Auth` cannot be forged: no other site may set that header, since no preflight
 * is ever granted, and the cookie counts on GET and HEAD alone. The check covers requests without
 * it: signing in (login CSRF), and all calls under the methods `noauth` and `proxy`, which need no
 * token. Browsers name the origin of a request; other clients send no such header and pass.
 *
 * Over http browsers send no `Sec-Fetch-Site`, and a proxy may have replaced the Host header, so a
 * form of another site looks like File Browser's own sign-in page. Both are answered, but without a
 * cookie: the page reads the token in the body, and a form leaves no session in the browser. Our
 * own pages send `X-Auth: cookie`, and so get their cookie.
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
  if (site === null && givesToken(ctx)) return withoutCookies(await ctx.next());
  if (site === null && carriesProof(ctx)) return await ctx.next();
  throw new DomainError(
    "forbidden",
    `Cannot accept a request from another site: it was sent to "${host}" by "${origin ?? site}". ` +
      "Behind a proxy, pass the Host header on; in a program, send an X-Auth header",
  );
}

/**
 * Whether no page of another site can have had this request sent: none may set `X-Auth`, and browsers
 * tell the site that began a request, whatever redirects follow. Over http they name only the page it
 * came from (`Referer`), and so do browsers from before 2023; a page cannot give another's.
 */
export function isOwnRequest(
  { info, req, state }: Pick<Context<State>, "info" | "req" | "state">,
): boolean {
  const { headers } = req;
  if (headers.has("x-auth")) return true;
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const { host } = publicOrigin(info, req, state.cubby.config.trustedProxies);
  return hostOf(headers.get("referer") ?? "") === host;
}

/**
 * Whether the answer is a token, which another site cannot read. Signing up also changes something:
 * it must be JSON, which no form can send, and no script without a preflight.
 */
function givesToken(ctx: Context<State>): boolean {
  if (ctx.req.method !== "POST") return false;
  const { pathname } = ctx.url;
  const { basePath } = ctx.config;
  if (pathname === `${basePath}/api/login`) return true;
  const isJson = /^application\/json\s*(;|$)/i.test(ctx.req.headers.get("content-type") ?? "");
  return isJson && pathname === `${basePath}/api/signup`;
}

/**
 * Whether a form has what another site cannot: the ticket of a download, or the password of a share
 * or a request for files. Who knows that could as well send a visitor the link.
 */
function carriesProof(ctx: Context<State>): boolean {
  const { basePath } = ctx.config;
  const byTicket = isCall(ctx, "raw") && ctx.url.searchParams.has("auth") &&
    takesPasswords(ctx.state.cubby.config);
  return ctx.req.method === "POST" &&
    (byTicket ||
      ["share", "request"].some((of) => ctx.url.pathname.startsWith(`${basePath}/${of}/`)));
}

function withoutCookies(answer: Response): Response {
  answer.headers.delete("set-cookie");
  return answer;
}

/**
 * Refuses a WebSocket that a page of another site has a user's browser open (cross-site WebSocket
 * hijacking): the same-origin policy does not keep that page from reading it. Browsers always send
 * the origin; other clients send none and pass.
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

/** The host of an `Origin`; undefined for "null" and malformed values. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/**
 * Middleware: under `noauth`, refuses requests to a host name that is not this machine's own (DNS
 * rebinding). Otherwise a page of another site whose name resolves to 127.0.0.1 would count as
 * same-origin, and could read and change everything without a token. An IP address or "localhost"
 * cannot be rebound; a trusted proxy may use its public name.
 */
export async function refuseForeignHost(ctx: Context<State>): Promise<Response> {
  const { config } = ctx.state.cubby;
  const guarded = config.authMethod === "noauth" && isLoopback(config.address);
  if (!guarded || isTrusted(peerAddress(ctx.info), config.trustedProxies)) return await ctx.next();

  const { hostname } = new URL(ctx.req.url);
  const isOwn = hostname === "localhost" || hostname.endsWith(".localhost") ||
    isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  if (isOwn) return await ctx.next();
  throw new DomainError(
    "forbidden",
    `Cannot answer as "${hostname}": without sign-in this server accepts only its own address`,
  );
}
