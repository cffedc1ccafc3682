/** The part of a context that decides about the headers. */
interface SecuredContext {
  state: { others?: OtherSources };
  next(): Promise<Response>;
}

/** Under this symbol Fresh leaves a page's nonce on the page's answer. */
const NONCE = Symbol.for("__freshNonce");

/** What a page loads besides our own, as sources of a content security policy. */
export interface OtherSources {
  scripts: string[];
  frames: string[];
  connections: string[];
}

/** What holds for every answer, whatever it is. */
const ALWAYS: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Answers that have them all: most pass here twice, and each look at a header takes its time. */
const secured = new WeakSet<Response>();

/** An answer that is no page needs nothing at all. */
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/**
 * Puts the security headers on an answer; one that is there already stays, so that a file's sandbox
 * is not undone. The root middleware calls it, which knows what a page loads from other sites, and so
 * do the root `_404` and `_error` routes, which run outside of it; the guard does so for the rest.
 *
 * Our own policy rather than Fresh's `csp()`: that one cannot leave out
 * `upgrade-insecure-requests`, with which a browser on plain http asks for our scripts over https.
 */
export function withSecurityHeaders(answer: Response, others?: OtherSources): Response {
  if (secured.has(answer)) return answer;
  for (const [name, value] of Object.entries(ALWAYS)) {
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  }
  if (!answer.headers.has("content-security-policy")) {
    answer.headers.set(
      "content-security-policy",
      isPage(answer) ? pagePolicy(answer, others) : NO_PAGE,
    );
  }
  secured.add(answer);
  return answer;
}

/** Middleware: the security headers on all that comes back through it. */
export async function securityHeaders(ctx: SecuredContext): Promise<Response> {
  return withSecurityHeaders(await ctx.next(), ctx.state.others);
}

function isPage(answer: Response): boolean {
  return answer.headers.get("content-type")?.startsWith("text/html") ?? false;
}

/** Scripts and styles are ours or carry this answer's nonce; everything else comes from us. */
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
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join("; ");
}

/** The widgets of others also write style attributes, which can't run anything. */
function policyFor({ frames, connections }: OtherSources): string[] {
  return [
    "style-src-attr 'unsafe-inline'",
    ["frame-src", ...frames].join(" "),
    ["connect-src 'self'", ...connections].join(" "),
  ];
}
