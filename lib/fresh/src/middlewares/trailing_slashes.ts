import type { Middleware } from "./mod.ts";

/** Redirects so that paths always, or never, end with "/". The root of the site is left alone. */
export function trailingSlashes<State>(mode: "always" | "never"): Middleware<State> {
  return function trailingSlashes(ctx) {
    const { pathname, search } = ctx.url;
    if (pathname === "/" || pathname.endsWith("/") === (mode === "always")) {
      return ctx.next();
    }
    const wanted = mode === "always" ? pathname + "/" : pathname.slice(0, -1);
    return ctx.redirect(wanted + search);
  };
}
