import type { Context } from "fresh";
import { parseUrlPath, type RequestPath } from "../../../shared/path.ts";
import { DavRefusal } from "../../features/dav/dav_refusal.ts";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Config } from "../../core/config/config.ts";
import { publicAddress, publicOrigin } from "../middleware/client_address.ts";

type Addressed = Pick<Context<State>, "url" | "config" | "state">;

/** What {@linkcode servesDav} reads of the configuration. */
type DavOptions = Pick<Config, "baseUrl" | "webdav" | "syncClients">;

/** The addresses of the files by WebDAV below the base URL, with the user whom one names. */
const filesAddress = /^(?:\/dav|\/remote\.php\/(?:webdav|dav\/files\/([^/]+)))(?=\/|$)/;

/** Whether the server answers WebDAV's methods at an address. */
export function servesDav(pathname: string, { baseUrl, webdav, syncClients }: DavOptions): boolean {
  if (!pathname.startsWith(`${baseUrl}/`)) return false;
  const [, first] = pathname.slice(baseUrl.length).split("/", 2);
  return (webdav && first === "dav") || (syncClients && first === "remote.php");
}

/** Whether a request's address is one of WebDAV that is served: such requests sign in for themselves. */
export function isDavAddress({ url, state }: Pick<Addressed, "url" | "state">): boolean {
  return servesDav(url.pathname, state.cubby.config);
}

/**
 * The path of the root of WebDAV by which the request came, without a slash at its end:
 * `/base/dav`, `/base/remote.php/dav/files/anna`.
 */
export function davPrefix(
  { url, config: { basePath } }: Pick<Addressed, "url" | "config">,
): string {
  return basePath + (filesAddress.exec(url.pathname.slice(basePath.length))?.[0] ?? "/dav");
}

/** The whole address of WebDAV, as the browser reaches this server; undefined while it is off. */
export function davAddress(ctx: Context<State>): string | undefined {
  return ctx.state.cubby.config.webdav ? publicAddress(ctx, "/dav/") : undefined;
}

/**
 * The entry that a request names.
 *
 * @throws DomainError `invalid_path`; `not_found` for the files of another user
 */
export function davPath(ctx: Addressed): RequestPath {
  return entryNamed(ctx, ctx.url.pathname);
}

/**
 * The entry at an address of the files by WebDAV.
 *
 * @param pathname with the base URL
 * @throws DomainError `invalid_path`; `not_found` for another address, and another user's files
 */
function entryNamed({ config: { basePath }, state }: Addressed, pathname: string): RequestPath {
  const address = pathname.slice(basePath.length);
  const [prefix, user] = filesAddress.exec(address) ?? [];
  const isOwn = user === undefined || decodeURIComponent(user) === state.signedIn?.user.username;
  if (prefix !== undefined && isOwn) return parseUrlPath(address.slice(prefix.length));
  throw new DomainError("not_found", "Cannot answer the request: not found");
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
  return entryAtAddress(ctx, text, "the destination");
}

/**
 * The entry at an address in a header, which may be another of the files' addresses here than that
 * of the request.
 *
 * @param noun for the message: "the destination"
 * @throws DomainError `invalid_path`, `forbidden`, `not_found`
 */
export function entryAtAddress(ctx: Context<State>, text: string, noun: string): RequestPath {
  const { config } = ctx.state.cubby;
  const { https, host } = publicOrigin(ctx.info, ctx.req, config.trustedProxies);
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
  if (servesDav(path, config)) return entryNamed(ctx, path);
  throw new DomainError("forbidden", `Cannot use ${noun}: it is outside "${davPrefix(ctx)}"`);
}
