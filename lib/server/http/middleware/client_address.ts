import { isIP } from "node:net";
import type { Context } from "fresh";
import type { Config } from "../../core/config/config.ts";
import type { State } from "../define.ts";
import { isTrusted, unixPeer } from "../../core/config/trusted_proxies.ts";

/** Middleware: leaves the client's address in `ctx.state.address`. */
export async function setAddress(ctx: Context<State>): Promise<Response> {
  const { trustedProxies } = ctx.state.cubby.config;
  ctx.state.address = clientAddress(ctx.info, ctx.req, trustedProxies);
  return await ctx.next();
}

/**
 * The client's address: the socket's peer, or the one that trusted proxies forward.
 * `X-Forwarded-For` is read from the right, because only its end was written by trusted proxies: a
 * client cannot change the result by sending the header itself.
 */
export function clientAddress(
  info: Deno.ServeHandlerInfo,
  req: Request,
  trustedProxies: readonly string[],
): string {
  let address = peerAddress(info);
  const hops = req.headers.get("x-forwarded-for")?.split(",") ?? [];
  while (hops.length > 0 && isTrusted(address, trustedProxies)) {
    const hop = plainAddress(hops.pop() ?? "");
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** The address of the socket's peer, without regard to forwarding headers. */
export function peerAddress(info: Deno.ServeHandlerInfo): string {
  const { remoteAddr } = info;
  return "hostname" in remoteAddr ? plainAddress(remoteAddr.hostname) : unixPeer;
}

/** The scheme and host under which the browser reached this server, as far as known. */
export interface PublicOrigin {
  https: boolean;
  /** Name and port as in the address bar: "files.example:8443". */
  host: string;
}

/**
 * The origin the browser sees: from the request, or from `X-Forwarded-Proto` and `-Host` when the
 * socket's peer is a trusted proxy.
 */
export function publicOrigin(
  info: Deno.ServeHandlerInfo,
  req: Request,
  trustedProxies: readonly string[],
): PublicOrigin {
  const url = new URL(req.url);
  const protocol = forwarded(info, req, "x-forwarded-proto", trustedProxies);
  const host = forwardedHost(info, req, trustedProxies);
  return {
    https: (protocol || url.protocol.slice(0, -1)) === "https",
    host: host || url.host,
  };
}

/**
 * The whole address of something on this site, as the browser has it.
 *
 * @param path below the base URL
 */
export function publicAddress(
  { state, info, req }: Pick<Context<State>, "state" | "info" | "req">,
  path: string,
): string {
  const { trustedProxies, baseUrl } = state.cubby.config;
  const { https, host } = publicOrigin(info, req, trustedProxies);
  return `${https ? "https" : "http"}://${host}${baseUrl}${path}`;
}

/** The host of `X-Forwarded-Host`, lower case; "" unless a trusted proxy sent it. */
export function forwardedHost(
  info: Deno.ServeHandlerInfo,
  req: Request,
  trustedProxies: readonly string[],
): string {
  return forwarded(info, req, "x-forwarded-host", trustedProxies);
}

/**
 * Whether the answer leaves this server, or the trusted proxy before it, over TLS. The scheme of
 * `req.url` does not count: in absolute form and in HTTP/2 the client chooses it.
 */
export function isOverHttps(
  info: Deno.ServeHandlerInfo,
  req: Request,
  { cert, trustedProxies }: Pick<Config, "cert" | "trustedProxies">,
): boolean {
  if (cert !== undefined) return true;
  return forwarded(info, req, "x-forwarded-proto", trustedProxies) === "https";
}

/** The last value of a forwarding header, lower case; "" unless a trusted proxy sent it. */
function forwarded(
  info: Deno.ServeHandlerInfo,
  req: Request,
  name: string,
  trustedProxies: readonly string[],
): string {
  const header = req.headers.get(name);
  if (header === null || !isTrusted(peerAddress(info), trustedProxies)) return "";
  return header.split(",").at(-1)?.trim().toLowerCase() ?? "";
}

/** Drops brackets, a port, a zone, and the IPv6 spelling of an IPv4 address. */
function plainAddress(text: string): string {
  if (/^[\d.]+$/.test(text)) return text;
  const bare = text.trim().toLowerCase()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/%.*$/, "");
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1] ?? bare;
}
