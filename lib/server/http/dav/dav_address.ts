import type { Context } from "fresh";
import { parseUrlPath, percentDecoded, type RequestPath } from "../../../shared/path.ts";
import { DavRefusal } from "../../features/dav/dav_refusal.ts";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Config } from "../../core/config/config.ts";
import { isIP } from "node:net";
import { isLoopback } from "../../../shared/loopback.ts";
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

/** Whether a request is for a call of OCS, by which sync clients ask: it signs in for itself, too. */
export function isOcsAddress({ url, state }: Pick<Addressed, "url" | "state">): boolean {
  const { syncClients, baseUrl } = state.cubby.config;
  return syncClients && url.pathname.startsWith(`${baseUrl}/ocs/`);
}

/** Whether a request is for an address of clients that sync, which expect more than WebDAV. */
export function isForClients({ url, config }: Pick<Addressed, "url" | "config">): boolean {
  return url.pathname.startsWith("/remote.php/", config.basePath.length);
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
  const isOwn = user === undefined || percentDecoded(user) === state.signedIn?.user.username;
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
 * of the request. A name before the host, as KDE sends it, counts for nothing.
 *
 * @param noun for the message: "the destination"
 * @throws DomainError `invalid_path`, `forbidden`, `not_found`
 */
export function entryAtAddress(ctx: Context<State>, text: string, noun: string): RequestPath {
  const isPath = text.startsWith("/") && !text.startsWith("//");
  // Otherwise a backslash in a name would be read as a slash.
  const escaped = utf8Of(text).replaceAll("\\", "%5C");
  const address = URL.parse(isPath ? `http://localhost${escaped}` : escaped);
  if (!address || !/^https?:$/.test(address.protocol) || /[?#]/.test(escaped)) {
    throw new DomainError("invalid_path", `Cannot read ${noun}: it is not an address`);
  }
  if (!isPath) assertHere(ctx, address, noun);
  const path = address.pathname.replace(/\/+/g, "/");
  if (servesDav(path, ctx.state.cubby.config)) return entryNamed(ctx, path);
  throw new DomainError("forbidden", `Cannot use ${noun}: it is outside "${davPrefix(ctx)}"`);
}

/** A header that holds UTF-8 without escapes, which arrives as one character for each byte. */
function utf8Of(text: string): string {
  try {
    const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
}

/**
 * Refuses an address on another server, so that a client that means one is not told that its file
 * arrived there. A proxy may have replaced `Host`, and passes the address on as the client wrote it:
 * it may have the host that the proxy names, trusted or not, and any name that is known more widely
 * than that of the request, such as "files.example" where that is "cubby:8080" or "10.0.0.5". The
 * scheme and a usual port are the proxy's affair. Nobody gains anything by another name: no request
 * is sent there, and the path is checked like any other.
 *
 * @throws DavRefusal `other_server`
 */
function assertHere({ info, req, state }: Context<State>, address: URL, noun: string): void {
  const { host } = publicOrigin(info, req, state.cubby.config.trustedProxies);
  const named = req.headers.get("x-forwarded-host")?.split(",") ?? [];
  const own = [host, ...named].flatMap((each) => URL.parse(`http://${each.trim()}`) ?? []);
  const isOwn = own.some(({ hostname, port }) =>
    hostname === address.hostname && (port === "" || address.port === "" || port === address.port)
  );
  const [{ hostname = "" } = {}] = own;
  if (isOwn || reachOf(address.hostname) > reachOf(hostname)) return;
  const advice = `Behind a proxy, pass the Host header on, or name it in X-Forwarded-Host`;
  throw new DavRefusal(
    "other_server",
    "forbidden",
    `Cannot use ${noun}: "${address.host}" is another server than "${host}". ${advice}`,
  );
}

/** Names that are never in the public DNS (RFC 6761, RFC 6762, RFC 8375 and usual ones). */
const inside = /\.(?:internal|local|localdomain|localhost|lan|home|home\.arpa|svc)$/;

/** From how far a host may be known by its name: this machine, its neighbours, a network, anywhere. */
function reachOf(hostname: string): number {
  if (isLoopback(hostname)) return 0;
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return 2;
  return !hostname.includes(".") ? 1 : inside.test(hostname) ? 2 : 3;
}
