import type { Context } from "fresh";
import type { State } from "../../define.ts";
import {
  type RelyingParty,
  relyingParty,
} from "../../../features/accounts/auth/passkeys/relying_party.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { type PasskeyAnswer, passkeyAnswerSchema } from "../../../../shared/schemas/passkeys.ts";
import { read } from "../../../../shared/schemas/read.ts";
import type { Config } from "../../../core/config/config.ts";
import { publicOrigin } from "../../middleware/client_address.ts";

/** This site, under the host name of the request. */
export function partyOf(ctx: Context<State>): RelyingParty {
  const { trustedProxies } = ctx.state.cubby.config;
  return relyingParty(publicOrigin(ctx.info, ctx.req, trustedProxies));
}

/**
 * The signed answer of a passkey in the member `passkey`; null where there is none.
 *
 * @throws DomainError `invalid_body`
 */
export function passkeyIn(body: Record<string, unknown>): PasskeyAnswer | null {
  if (!Object.hasOwn(body, "passkey") || body.passkey === null) return null;
  return read(passkeyAnswerSchema, body.passkey);
}

/** Whether an answer is that of a user's passkey for this site. */
export async function verifyByPasskey(
  ctx: Context<State>,
  userId: number,
  answer: PasskeyAnswer,
): Promise<boolean> {
  return await ctx.state.cubby.passkeys.verify(userId, partyOf(ctx), answer);
}

/** Whether passkeys count: where the server asks for passwords, as a second factor at least. */
export function countPasskeys({ authMethod, oidc }: Pick<Config, "authMethod" | "oidc">): boolean {
  return authMethod === "json" && !oidc?.only;
}

/**
 * Whether a passkey alone signs in: not where others decide who may, as a directory, a program or a
 * provider, which would not be asked.
 */
export function signInAlone(config: Pick<Config, "authMethod" | "ldap" | "oidc">): boolean {
  return countPasskeys(config) && !config.ldap;
}

/** @throws DomainError `forbidden` where no passkey counts */
export function requirePasskeys(config: Config): void {
  if (countPasskeys(config)) return;
  throw new DomainError(
    "forbidden",
    "Cannot ask for a passkey: this server does not accept passkeys",
  );
}

/** @throws DomainError `forbidden` where a passkey alone signs nobody in */
export function requirePasskeysAlone(config: Config): void {
  if (signInAlone(config)) return;
  const message = "Cannot sign in by a passkey alone: other servers decide who may sign in";
  throw new DomainError("forbidden", message);
}
