import type { Context } from "fresh";
import { parseUrlPath, type RequestPath } from "../../../shared/path.ts";
import { DavRefusal } from "../../features/dav/dav_refusal.ts";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { publicAddress, publicOrigin } from "../middleware/client_address.ts";

type Addressed = Pick<Context<unknown>, "url" | "config">;

/** The path of the root of WebDAV, without a slash at its end: `/base/dav`. */
export function davPrefix({ config }: Pick<Addressed, "config">): string {
  return `${config.basePath}/dav`;
}

/** The whole address of WebDAV, as the browser reaches this server; undefined while it is off. */
export function davAddress(ctx: Context<State>): string | undefined {
  return ctx.state.cubby.config.webdav ? publicAddress(ctx, "/dav/") : undefined;
}

/** Whether a request's address is one of WebDAV: `/dav` or below it. */
export function isDavAddress(ctx: Addressed): boolean {
  return isBelow(ctx.url.pathname, davPrefix(ctx));
}

/**
 * The entry that a request names.
 *
 * @throws DomainError `invalid_path`
 */
export function davPath(ctx: Addressed): RequestPath {
  return parseUrlPath(ctx.url.pathname.slice(davPrefix(ctx).length));
}

/**
 * The entry that `Destination` names (RFC 4918, 10.3): an address of this server, or its path. What
 * is on another server is refused, as this one sends nothing anywhere; so is what is here but not
 * below `/dav`.
 *
 * @throws DomainError `invalid_option` without one; `forbidden`; `invalid_path`
 */
export function destinationOf(ctx: Context<State>): RequestPath {
  const text = ctx.req.headers.get("destination")?.trim() ?? "";
  if (text === "") {
    throw new DomainError("invalid_option", "Cannot copy or move without a destination");
  }
  return parseUrlPath(pathOfAddress(ctx, text, "the destination").slice(davPrefix(ctx).length));
}

/**
 * The path of an address in a header, below `/dav` of this server.
 *
 * @param noun for the message: "the destination"
 * @throws DomainError `invalid_path`, `forbidden`
 */
export function pathOfAddress(ctx: Context<State>, text: string, noun: string): string {
  const { https, host } = publicOrigin(ctx.info, ctx.req, ctx.state.cubby.config.trustedProxies);
  const own = `${https ? "https" : "http"}://${host}`;
  const isPath = text.startsWith("/") && !text.startsWith("//");
  const address = URL.parse(isPath ? own + text : text);
  if (!address || !/^https?:$/.test(address.protocol) || address.search !== "") {
    throw new DomainError("invalid_path", `Cannot read ${noun}: it is not an address`);
  }
  if (!isPath && (address.host !== new URL(own).host || address.username !== "")) {
    throw new DavRefusal(
      "other_server",
      "forbidden",
      `Cannot use ${noun}: it is on another server`,
    );
  }
  const path = address.pathname.replace(/\/+/g, "/");
  if (isBelow(path, davPrefix(ctx))) return path;
  throw new DomainError("forbidden", `Cannot use ${noun}: it is outside "${davPrefix(ctx)}"`);
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
