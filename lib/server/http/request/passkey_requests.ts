import type { Context } from "fresh";
import type { State } from "../../define.ts";
import { type RelyingParty, relyingParty } from "../../auth/passkeys/relying_party.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type PasskeyAnswer, passkeyAnswerSchema } from "../../../shared/schemas/passkeys.ts";
import { read } from "../../../shared/schemas/read.ts";
import type { Config } from "../../config/config.ts";
import { publicOrigin } from "../middleware/client_address.ts";

/** This site, under the host name of the request. */
export function partyOf(ctx: Context<State>): RelyingParty {
  const { trustedProxies } = ctx.state.cubby.config;
  return relyingParty(publicOrigin(ctx.info, ctx.req, trustedProxies));
}

/**
 * What a passkey has signed, in the member `passkey`; null where there is none.
 *
 * @throws DomainError `invalid_body`
 */
export function passkeyIn(body: Record<string, unknown>): PasskeyAnswer | null {
  if (!Object.hasOwn(body, "passkey") || body.passkey === null) return null;
  return read(passkeyAnswerSchema, body.passkey);
}

/** Whether an answer is that of a user's passkey for this site. */
export async function provesByPasskey(
  ctx: Context<State>,
  userId: number,
  answer: PasskeyAnswer,
): Promise<boolean> {
  return await ctx.state.cubby.passkeys.proves(userId, partyOf(ctx), answer);
}

/**
 * Whether a passkey alone signs in: not where others decide who may, as a directory, a program or a
 * provider, which would not be asked.
 */
export function takesPasskeys({ authMethod, ldap, oidc }: Config): boolean {
  return authMethod === "json" && !ldap && !oidc?.only;
}

/** @throws DomainError `forbidden` where a passkey alone signs nobody in */
export function requirePasskeys(config: Config): void {
  if (takesPasskeys(config)) return;
  const message = "Cannot sign in by a passkey alone: accounts elsewhere decide here";
  throw new DomainError("forbidden", message);
}
