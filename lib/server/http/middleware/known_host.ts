import { isIP } from "node:net";
import type { Context } from "fresh";
import type { State } from "../../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { peerAddress } from "./client_address.ts";
import { isTrusted } from "./trusted_proxies.ts";

/**
 * Middleware: under `noauth`, refuses requests to a name that is not this machine's own (DNS
 * rebinding). There a page of another site that has its name point at 127.0.0.1 would be taken by
 * the browser for our own, and could read and change everything without a token. An address or
 * "localhost" cannot be made to point elsewhere; a trusted proxy may use the name it is known by.
 */
export async function refuseForeignHost(ctx: Context<State>): Promise<Response> {
  const { config } = ctx.state.cubby;
  const guarded = config.authMethod === "noauth" && isLoopback(config.address);
  if (!guarded || isTrusted(peerAddress(ctx.info), config.trustedProxies)) return await ctx.next();

  const { hostname } = new URL(ctx.req.url);
  const isOwn = hostname === "localhost" || hostname.endsWith(".localhost") ||
    isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  if (isOwn) return await ctx.next();
  throw new DomainError(
    "forbidden",
    `Cannot answer as "${hostname}": without sign-in this server answers to its address alone`,
  );
}

function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || address.startsWith("127.");
}
