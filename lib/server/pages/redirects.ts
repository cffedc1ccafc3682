import type { Context } from "fresh";
import type { State } from "../define.ts";

type Asking = Pick<Context<State>, "url" | "config">;

/** Where a signed-in user goes when nothing else was asked for. */
export function filesHome({ config }: Pick<Asking, "config">): string {
  return `${config.basePath}/files/`;
}

/** Leads to the sign-in form, which leads back to the address that was asked for. */
export function toSignIn({ url, config }: Asking): Response {
  const back = new URLSearchParams({ redirect: url.pathname + url.search });
  return redirect(`${config.basePath}/login?${back}`);
}

/**
 * Where to go after signing in: the `redirect` of the query if it lies on this site and below the
 * base URL, else the files. The value is whatever a link made it, so it is resolved the way a
 * browser does before it is looked at: `//host`, `/\host` and `/<tab>/host` lead elsewhere
 * (open redirect, CWE-601).
 */
export function afterSignIn({ url, config }: Asking): string {
  const wanted = url.searchParams.get("redirect") ?? "";
  const target = wanted.startsWith("/") ? URL.parse(wanted, url.origin) : null;
  if (target?.origin !== url.origin) return filesHome({ config });
  const { pathname, search, hash } = target;
  const elsewhere = pathname.startsWith("//") || !pathname.startsWith(`${config.basePath}/`);
  const again = pathname.startsWith(`${config.basePath}/login`);
  return elsewhere || again ? filesHome({ config }) : pathname + search + hash;
}

/** Leads to another address of this site; the browser is not to remember it. */
export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}
