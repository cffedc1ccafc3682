import { isIP } from "node:net";
import type { Context } from "fresh";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { peerAddress } from "./client_address.ts";
import { isLoopback } from "../../../shared/loopback.ts";
import { isTrusted } from "../../core/config/trusted_proxies.ts";

/**
 * Middleware: under `noauth`, refuses requests to a host name that is not this machine's own (DNS
 * rebinding). Otherwise a page of another site whose name resolves to 127.0.0.1 would count as
 * same-origin, and could read and change everything without a token. An IP address or "localhost"
 * cannot be rebound; a trusted proxy may use its public name.
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
    `Cannot answer as "${hostname}": without sign-in this server accepts only its own address`,
  );
}
