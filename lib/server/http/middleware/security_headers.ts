import type { Context } from "fresh";
import type { State } from "../define.ts";

/** The part of a context that determines the headers. */
interface SecuredContext {
  state: { others?: OtherSources };
  next(): Promise<Response>;
}

/** Property under which Fresh keeps a page's nonce on its response. */
const NONCE = Symbol.for("__freshNonce");

/** Third-party sources that a page loads, for its content security policy. */
export interface OtherSources {
  /** Widgets, which also ask for and style what they like. */
  scripts?: string[];
  connections?: string[];
  frames: string[];
  /** Where forms are sent to, in place of this site. */
  forms?: string[];
}

/** Headers of every response. */
const ALWAYS = Object.entries({
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
});

/** Responses that have all headers: most pass here twice, and reading headers is slow. */
const secured = new WeakSet<Response>();

/** Policy of responses other than pages: they load nothing. */
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Policy of our scripts, which holds for those that run as Workers: they load other scripts. */
const SCRIPT = NO_PAGE.replace(";", "; script-src 'self';");

/**
 * Adds the security headers to a response; existing ones stay, so that a file's sandbox is kept.
 * Called by the root middleware, which knows the third-party sources of a page, by the root `_404`
 * and `_error` routes, which run outside of it, and by the guard for the rest.
 *
 * This policy replaces Fresh's `csp()`, which cannot leave out `upgrade-insecure-requests`: with
 * that, a browser on plain http would request our scripts over https.
 */
export function withSecurityHeaders(answer: Response, others?: OtherSources): Response {
  if (secured.has(answer)) return answer;
  const { headers } = answer;
  for (const [name, value] of ALWAYS) {
    if (!headers.has(name)) headers.set(name, value);
  }
  if (!headers.has("content-security-policy")) {
    const type = headers.get("content-type");
    const otherwise = type?.startsWith("text/javascript") ? SCRIPT : NO_PAGE;
    headers.set("content-security-policy", isPage(answer) ? pagePolicy(answer, others) : otherwise);
  }
  secured.add(answer);
  return answer;
}

/** Middleware: adds the security headers to every response. */
export async function securityHeaders(ctx: SecuredContext): Promise<Response> {
  return withSecurityHeaders(await ctx.next(), ctx.state.others);
}

function isPage(answer: Response): boolean {
  return answer.headers.get("content-type")?.startsWith("text/html") ?? false;
}

/** Scripts and styles are same-origin or carry the response's nonce; all else is same-origin. */
function pagePolicy(answer: Response, others?: OtherSources): string {
  const nonce: unknown = Reflect.get(answer, NONCE);
  const own = typeof nonce === "string" && nonce !== "" ? `'self' 'nonce-${nonce}'` : "'self'";
  return [
    "default-src 'self'",
    ["script-src", own, ...others?.scripts ?? []].join(" "),
    `style-src ${own}`,
    ...others ? policyFor(others) : [],
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${others?.forms?.join(" ") ?? "'self'"}`,
    "frame-ancestors 'self'",
  ].join("; ");
}

/** Third-party widgets also write style attributes, which cannot run scripts. */
function policyFor({ scripts, frames, connections = [] }: OtherSources): string[] {
  return [
    ...scripts ? ["style-src-attr 'unsafe-inline'"] : [],
    ["frame-src", ...frames].join(" "),
    ["connect-src 'self'", ...connections].join(" "),
  ];
}

/** Middleware: sets `Cache-Control: no-store` on responses without a `Cache-Control`. */
export async function noStore(ctx: Context<State>): Promise<Response> {
  const answer = await ctx.next();
  if (!answer.headers.has("cache-control")) answer.headers.set("cache-control", "no-store");
  return answer;
}
