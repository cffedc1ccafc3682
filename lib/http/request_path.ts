import type { Context } from "fresh";
import { parseUrlPath, type RequestPath } from "../access/path.ts";
import { DomainError } from "../errors.ts";

/**
 * The path of an entry that a URL names after one of the API's calls, read from the raw pathname:
 * the framework's parameters are decoded in a way that loses "%23" and "%2F".
 *
 * @param call what stands between `/api/` and the path: "resources"
 * @throws DomainError `invalid_path`
 */
export function requestPath(
  ctx: Pick<Context<unknown>, "url" | "config">,
  call: string,
): RequestPath {
  const prefix = `${ctx.config.basePath}/api/${call}`;
  const { pathname } = ctx.url;
  if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) {
    throw new DomainError("not_found", "Cannot answer this address: nothing is here");
  }
  return parseUrlPath(pathname.slice(prefix.length));
}
