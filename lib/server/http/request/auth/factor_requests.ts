import type { Context } from "fresh";
import type { State } from "../../define.ts";
import { DomainError } from "../../../../shared/errors.ts";
import type { SignedIn } from "../../../features/accounts/auth/session.ts";
import { ownSessionOf } from "../../middleware/sign_in.ts";
import { recordActivity } from "../activities.ts";
import { optionalText } from "../json_body.ts";
import { requirePasswords } from "./require_passwords.ts";
import {
  type RelyingParty,
  relyingParty,
} from "../../../features/accounts/auth/passkeys/relying_party.ts";
import { type PasskeyAnswer, passkeyAnswerSchema } from "../../../../shared/schemas/passkeys.ts";
import { read } from "../../../../shared/schemas/read.ts";
import type { Config } from "../../../core/config/config.ts";
import { publicOrigin } from "../../middleware/client_address.ts";

/**
 * The session of a request about the user's own second factors.
 *
 * @throws DomainError `not_signed_in`; `forbidden` where the server does not ask for passwords, as
 * it would not ask for a second factor either
 */
export function factorOwner(ctx: Context<State>): SignedIn {
  const signedIn = ownSessionOf(ctx);
  const { config } = ctx.state.cubby;
  requirePasswords(config, "set up a second factor");
  if (config.authMethod === "json") return signedIn;
  throw new DomainError(
    "forbidden",
    "Cannot set up a second factor: the server does not ask users for passwords",
  );
}

/**
 * Requires the user's password again and, of those who have second factors, a code or the answer of
 * a passkey: a borrowed session must neither remove a factor nor add one of its own.
 *
 * @param body with `current_password`, and `code` or `passkey`
 * @throws DomainError `wrong_credentials`, also when one is missing; `throttled`; `invalid_json`;
 * `invalid_body` for a `passkey` of another form
 */
export async function requireFactors(
  ctx: Context<State>,
  body: Record<string, unknown>,
): Promise<void> {
  const { cubby: { factors, sessions }, address } = ctx.state;
  const { user } = factorOwner(ctx);
  const password = optionalText(body, "current_password");
  const code = optionalText(body, "code");
  const passkey = passkeyIn(body);
  const isProofMissing = user.hasFactors && code === "" && passkey === null;
  const missing = password === "" ? "password" : isProofMissing ? "code" : null;
  if (missing) {
    const message = missing === "password"
      ? "Cannot continue: your current password is missing"
      : "Cannot continue: a code of your second factor is missing";
    throw new DomainError("wrong_credentials", message);
  }
  const verifyFactor = passkey
    ? () => verifyByPasskey(ctx, user.id, passkey)
    : () => factors.verify(user.id, code);
  const further = user.hasFactors ? verifyFactor : undefined;
  await sessions.confirm(user, password, address, further);
}

/**
 * Takes down what a user has done with the own second factors.
 *
 * @param passkey the name of the passkey; none for the app, and for the recovery codes
 */
export function recordFactors(
  ctx: Context<State>,
  action: "factor_add" | "factor_rename" | "factor_remove" | "recovery_renew",
  { user: { id, username: name }, settings }: SignedIn,
  passkey?: string,
): void {
  const details = { account: id };
  recordActivity(ctx, action, { subject: passkey, user: { id, name }, settings, details });
}

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
