import { NONCE } from "../runtime/server/preact_hooks.ts";
import type { Middleware } from "./mod.ts";

/** The policy that {@linkcode csp} sends. */
export interface CSPOptions {
  /** Directives; one replaces the default of the same name. */
  csp?: string[];
  /** Allows the scripts and styles of rendered pages by nonce instead of 'unsafe-inline'. */
  useNonce?: boolean;
  /** Only reports violations of the policy. */
  reportOnly?: boolean;
  /** The address that violations are reported to. */
  reportTo?: string;
}

const DEFAULTS = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "upgrade-insecure-requests",
];

/** The directives in which a nonce may stand for 'unsafe-inline'. */
const INLINE = new Set([
  "default-src",
  "script-src",
  "script-src-elem",
  "style-src",
  "style-src-attr",
  "style-src-elem",
]);

/** Sends a Content-Security-Policy with every answer (CWE-79, CWE-1021). */
export function csp<State>(options: CSPOptions = {}): Middleware<State> {
  const { csp: own = [], useNonce = false, reportOnly = false, reportTo } = options;
  const replaced = new Set(own.map(nameOf));
  const directives = [
    ...DEFAULTS.filter((directive) => !replaced.has(nameOf(directive))),
    ...own,
  ];
  if (reportTo) {
    directives.push("report-to csp-endpoint", `report-uri ${reportTo}`);
  }
  const withNonce = (nonce: string) =>
    directives.map((directive) =>
      INLINE.has(nameOf(directive))
        ? directive.replaceAll("'unsafe-inline'", `'nonce-${nonce}'`)
        : directive
    );
  const header = `content-security-policy${reportOnly ? "-report-only" : ""}`;

  return async function csp(ctx) {
    const response = await ctx.next();
    const nonce: unknown = Reflect.get(response, NONCE);
    const sent = useNonce && typeof nonce === "string" ? withNonce(nonce) : directives;
    response.headers.set(header, sent.join("; "));
    if (reportTo) {
      response.headers.set("reporting-endpoints", `csp-endpoint="${reportTo}"`);
    }
    return response;
  };
}

function nameOf(directive: string): string {
  return directive.replace(/ .*/s, "");
}
