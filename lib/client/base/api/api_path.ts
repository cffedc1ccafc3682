import { encodePath, parsePath } from "../../../shared/path.ts";

declare const apiPath: unique symbol;

/** A path below the base URL, already percent-encoded. Only {@linkcode path} makes one. */
export type ApiPath = string & { readonly [apiPath]: true };

/**
 * Writes the path of a call, with everything that is put in percent-encoded: a value that starts
 * with a slash is a path and is encoded segment by segment; any other is one segment, slashes in it
 * included. So a folder named `a?b#c` or an id such as `../users` can't change which call is made.
 *
 *     path`/api/resources${entry}` // "/photos/50%.jpg" -> "/api/resources/photos/50%25.jpg"
 *     path`/api/sessions/${sid}`
 *
 * @throws {DomainError} `invalid_path` for a path that is none
 * @throws Error for a segment that the browser would resolve: "", "." or ".."
 */
export function path(
  texts: TemplateStringsArray,
  ...values: readonly (string | number)[]
): ApiPath {
  const parts = texts.map((text, index) => {
    const value = values[index];
    return value === undefined ? text : text + encoded(String(value));
  });
  return parts.join("").replace(/\/{2,}/g, "/") as ApiPath;
}

/** Names in a folder as one comma-separated text, each percent-encoded. */
export function nameList(names: readonly string[]): string {
  return names.map(encodeURIComponent).join(",");
}

function encoded(value: string): string {
  if (value.startsWith("/")) return encodePath(parsePath(value).path);
  if (value === "" || value === "." || value === "..") {
    throw new Error(`Cannot put "${value}" into the path of a call: it is no segment`);
  }
  return encodeURIComponent(value);
}
