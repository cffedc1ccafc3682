import type { Context } from "fresh";
import { parseUrlPath, type RequestPath } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";

type Addressed = Pick<Context<unknown>, "url" | "config">;

/** Whether a request's URL belongs to one of the API's calls: `/api/raw` or below it. */
export function isCall(ctx: Addressed, call: string): boolean {
  const prefix = prefixOf(ctx, call);
  return ctx.url.pathname === prefix || ctx.url.pathname.startsWith(`${prefix}/`);
}

/**
 * The path of an entry that a URL names after one of the API's calls, read from the raw pathname:
 * the framework's parameters are decoded in a way that loses "%23" and "%2F".
 *
 * @param call the part between `/api/` and the path: "resources"
 * @throws DomainError `invalid_path`; `not_found` at the address of another call
 */
export function requestPath(ctx: Addressed, call: string): RequestPath {
  if (!isCall(ctx, call)) {
    throw new DomainError("not_found", "Cannot answer the request: not found");
  }
  return parseUrlPath(ctx.url.pathname.slice(prefixOf(ctx, call).length));
}

function prefixOf(ctx: Addressed, call: string): string {
  return `${ctx.config.basePath}/api/${call}`;
}
