/** Nothing is loaded and nothing runs; the file itself may still be looked at and played. */
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
 * Kinds that cannot hold a script of a page. Their viewers and players belong to the browser and
 * need the page's origin: a player fetches the file once more, and without it sends no cookie.
 */
const VIEWED_BY_THE_BROWSER = /^(?:(?:audio|video)\/.*|application\/pdf)$/;

/**
 * The `Content-Security-Policy` of a file handed out by its own address. A page or a drawing that
 * somebody uploaded would otherwise run scripts with the rights of whoever opens it.
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
