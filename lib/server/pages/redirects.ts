import type { Context } from "fresh";
import type { State } from "../define.ts";

type Asking = Pick<Context<State>, "url" | "config">;

/** The default URL of a signed-in user. */
export function filesHome({ config }: Pick<Asking, "config">): string {
  return `${config.basePath}/files/`;
}

/** Redirects to the sign-in form, which returns to the requested URL. */
export function toSignIn({ url, config }: Asking): Response {
  const back = new URLSearchParams({ redirect: url.pathname + url.search });
  return redirect(`${config.basePath}/login?${back}`);
}

/**
 * The URL after signing in: the query's `redirect` if it lies on this site and below the base URL,
 * else the files. The value is untrusted, so it is resolved as a browser does before it is checked:
 * `//host`, `/\host` and `/<tab>/host` lead to other sites (open redirect, CWE-601).
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

/** Redirects to another URL of this site, without caching. */
export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}
