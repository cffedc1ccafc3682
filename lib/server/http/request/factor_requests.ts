import type { Context } from "fresh";
import type { State } from "../../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { SignedIn } from "../../auth/session.ts";
import { ownSessionOf } from "../middleware/sign_in.ts";
import { optionalText } from "./json_body.ts";
import { requirePasswords } from "./require_passwords.ts";

/**
 * The session of a request about the user's own second factors.
 *
 * @throws DomainError `not_signed_in`; `forbidden` where the server does not ask for passwords, as
 * a second factor would be asked for by nobody
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
 * Requires the user's password again and, of those who have second factors, a code: a borrowed
 * session must neither remove a factor nor add one of its own.
 *
 * @param body with `current_password` and `code`
 * @throws DomainError `wrong_credentials`, also when one is missing; `throttled`; `invalid_json`
 */
export async function requireFactors(
  ctx: Context<State>,
  body: Record<string, unknown>,
): Promise<void> {
  const { cubby: { factors, sessions }, address } = ctx.state;
  const { user } = factorOwner(ctx);
  const password = optionalText(body, "current_password");
  const code = optionalText(body, "code");
  const missing = password === "" ? "password" : user.hasFactors && code === "" ? "code" : null;
  if (missing) {
    const message = missing === "password"
      ? "Cannot go on: your current password is missing"
      : "Cannot go on: a code of your second factor is missing";
    throw new DomainError("wrong_credentials", message);
  }
  const further = user.hasFactors ? () => factors.proves(user.id, code) : undefined;
  await sessions.confirm(user, password, address, further);
}
