import type { Context } from "fresh";
import type { ServerCheck } from "../../../shared/schemas/server_check.ts";
import { isTrusted } from "../../core/config/trusted_proxies.ts";
import { checkServer } from "../../features/setup/server_check.ts";
import type { State } from "../define.ts";
import { isOverHttps, peerAddress, publicOrigin } from "../middleware/client_address.ts";
import { sessionOf } from "../middleware/sign_in.ts";

/** The headers by which proxies tell of what they forward. */
const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];

/** Checks the server as an administrator's request reaches it. */
export async function checkServerFor(ctx: Context<State>): Promise<ServerCheck> {
  const { settings } = sessionOf(ctx);
  const { config, store, gate } = ctx.state.cubby;
  const { headers } = ctx.req;
  const isHttps = isOverHttps(ctx.info, ctx.req, config);
  const { host } = publicOrigin(ctx.info, ctx.req, config.trustedProxies);
  const peer = peerAddress(ctx.info);
  return await checkServer({ config, settings, store, gate }, {
    isHttps,
    origin: `${isHttps ? "https" : "http"}://${host}`,
    peer,
    isTrusted: isTrusted(peer, config.trustedProxies),
    isForwarded: forwarding.some((name) => headers.has(name)),
    namesScheme: headers.has("x-forwarded-proto"),
  });
}
