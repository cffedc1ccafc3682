import type { Context } from "fresh";
import type { State } from "../../define.ts";
import { DomainError } from "../../../../shared/errors.ts";
import type { SignedIn } from "../../../features/accounts/auth/session.ts";
import { ownSessionOf } from "../../middleware/sign_in.ts";
import { recordActivity } from "../activities.ts";
import { optionalText } from "../json_body.ts";
import { passkeyIn, verifyByPasskey } from "./passkey_requests.ts";
import { requirePasswords } from "./require_passwords.ts";

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
