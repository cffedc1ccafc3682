/** Nothing is loaded and nothing runs; the file itself may still be shown and played. */
const LOADS_NOTHING = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/**
 * Types that cannot contain a page's script. The browser's own viewers and players need the page's
 * origin: a player fetches the file again, and without it sends no cookie.
 */
const VIEWED_BY_THE_BROWSER = /^(?:(?:audio|video)\/.*|application\/pdf)$/;

/**
 * The `Content-Security-Policy` of a file served at its own URL. An uploaded page or SVG would
 * otherwise run scripts with the rights of the user who opens it (stored XSS).
 *
 * @param type the file's content type
 */
export function sandboxPolicy(type: string): string {
  const essence = type.split(";")[0]?.trim().toLowerCase() ?? "";
  const sandbox = VIEWED_BY_THE_BROWSER.test(essence)
    ? "sandbox allow-same-origin allow-scripts"
    : "sandbox";
  return `${sandbox}; ${LOADS_NOTHING}`;
}
