import { encodePath, parsePath } from "../../../shared/path.ts";
import type { DeclaredCalls } from "./declared_calls.d.ts";

/** The method and the path of a call: "PUT /api/groups/{id}". */
export type CallName = keyof DeclaredCalls;

declare const apiPath: unique symbol;

/** A path below the base URL, already percent-encoded. */
export type ApiPath = string & { readonly [apiPath]: true };

/** The values for the parameters in the path of a call. */
export type ParamsOf<Name extends string> = Name extends `${string}{${infer Param}}${infer Rest}`
  ? Record<Param, string | number> & ParamsOf<Rest>
  : unknown;

/** The path of a declared call; see {@linkcode pathWith}. */
export function declaredPath<Name extends CallName>(
  name: Name,
  ...[params]: unknown extends ParamsOf<Name> ? [] : [params: ParamsOf<Name>]
): ApiPath {
  return pathWith(name, params as Record<string, string | number> | undefined);
}

/**
 * Writes a path with its parameters percent-encoded: a value that starts with a slash is a path and
 * is encoded segment by segment, with the slash at its end for a folder; any other is one segment,
 * slashes in it included. So a folder named `a?b#c` or an id such as `../users` can't change which
 * call is made.
 *
 *     pathWith("/api/resources/{path}", { path: entry }) // "/api/resources/photos/50%25.jpg"
 *
 * @param template the path, after the method of a call
 * @throws {DomainError} `invalid_path` for a path that is none
 * @throws Error for a segment that the browser would resolve: "", "." or ".."
 */
export function pathWith(
  template: string,
  params: Record<string, string | number> = {},
): ApiPath {
  const to = template.slice(template.indexOf(" ") + 1)
    .replace(/\{(\w+)\}/g, (_, param: string) => encoded(String(params[param])));
  return to.replace(/\/{2,}/g, "/") as ApiPath;
}

/** Names in a folder as one comma-separated text, each percent-encoded. */
export function nameList(names: readonly string[]): string {
  return names.map(encodeURIComponent).join(",");
}

function encoded(value: string): string {
  if (value.startsWith("/")) {
    const { path, folder } = parsePath(value);
    return encodePath(path, { folder });
  }
  if (value === "" || value === "." || value === "..") {
    throw new Error(`Cannot put "${value}" into the path of a call: it is no segment`);
  }
  return encodeURIComponent(value);
}
