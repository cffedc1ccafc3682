import type { Context } from "fresh";
import { DomainError } from "../../../../shared/errors.ts";
import { isFreshlyOpened, isFreshlyVerified } from "../../../features/accounts/auth/session.ts";
import { type Config, keepsPasswords, takesPasswords } from "../../../core/config/config.ts";
import type { State } from "../../define.ts";
import { sessionOf } from "../../middleware/sign_in.ts";

/**
 * Refuses what takes a password, where accounts elsewhere alone sign in.
 *
 * @param action the refused action, for the message: `sign in`
 * @throws DomainError `forbidden`
 */
export function requirePasswords({ oidc }: Pick<Config, "oidc">, action: string): void {
  if (!oidc?.only) return;
  throw new DomainError("forbidden", `Cannot ${action}: only accounts of ${oidc.name} may`);
}

/**
 * Refuses what chooses a password, where passwords are not kept here.
 *
 * @param action the refused action, for the message: `invite a user`
 * @throws DomainError `forbidden`
 */
export function requireOwnPasswords(
  config: Pick<Config, "authMethod" | "oidc">,
  action: string,
): void {
  if (keepsPasswords(config)) return;
  throw new DomainError("forbidden", `Cannot ${action}: the server does not keep passwords`);
}

/**
 * Requires the user's own password again, before actions that a stolen session must not perform.
 * Does nothing under `noauth` and `proxy`, where there is no password, nor a short while after the
 * user has signed in by an account elsewhere.
 *
 * @param reason for the message, where the password is missing
 * @throws DomainError `wrong_credentials`, also when it is missing; `throttled`
 */
export async function requireReauthentication(
  ctx: Context<State>,
  { current_password: password }: Record<string, unknown>,
  reason = "your current password is missing",
): Promise<void> {
  const { cubby: { config, sessions }, address } = ctx.state;
  if (!takesPasswords(config) || isFreshlyVerified(sessionOf(ctx).session)) return;
  if (typeof password !== "string" || password === "") {
    throw new DomainError("wrong_credentials", `Cannot continue: ${reason}`);
  }
  await sessions.confirm(sessionOf(ctx).user, password, address);
}

/**
 * Requires the user's own password again, as {@linkcode requireReauthentication} does, for a call in
 * which File Browser's front end cannot send it. For its clients (`--api-compat 2.63`) a sign-in of
 * the last ten minutes counts in its place, so that a session stolen later still changes nothing.
 *
 * @throws DomainError `wrong_credentials`, also when it is missing; `throttled`
 */
export async function requireRecentSignIn(
  ctx: Context<State>,
  body: Record<string, unknown>,
): Promise<void> {
  if (ctx.state.cubby.config.apiCompat !== "2.63") return await requireReauthentication(ctx, body);
  await requireRecentProof(
    ctx,
    body,
    "you signed in more than ten minutes ago. Sign in again, then save",
  );
}

/**
 * Requires the user's own password again, as {@linkcode requireReauthentication} does; a sign-in of
 * the last ten minutes counts in its place, as one who follows a link of an app has just signed in.
 *
 * @throws DomainError `wrong_credentials`, also when it is missing; `throttled`
 */
export async function requireRecentProof(
  ctx: Context<State>,
  body: Record<string, unknown>,
  reason?: string,
): Promise<void> {
  const isSent = body.current_password !== undefined && body.current_password !== "";
  if (!isSent && isFreshlyOpened(sessionOf(ctx).session)) return;
  await requireReauthentication(ctx, body, reason);
}
