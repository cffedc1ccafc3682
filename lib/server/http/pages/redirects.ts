import type { Context } from "fresh";
import type { LoginRefusal } from "../../../shared/page_data.ts";
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
 * Redirects to the sign-in form after a sign-in elsewhere.
 *
 * @param words the query: the page to open, and how it went
 */
export function backToLogin(
  { config }: Pick<Asking, "config">,
  words: { redirect?: string; entered?: "1"; refused?: LoginRefusal },
): Response {
  const query = new URLSearchParams(words);
  return redirect(`${config.basePath}/login${query.size > 0 ? `?${query}` : ""}`);
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
  const again = ["/login", "/second-factor"].some((page) =>
    pathname.startsWith(config.basePath + page)
  );
  return elsewhere || again ? filesHome({ config }) : pathname + search + hash;
}

/** Redirects to another URL of this site, without caching. */
export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}
