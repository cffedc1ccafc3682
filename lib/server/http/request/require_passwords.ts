import { type Config, keepsPasswords } from "../../config/config.ts";
import { DomainError } from "../../../shared/errors.ts";

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
  throw new DomainError("forbidden", `Cannot ${action}: passwords are not kept here`);
}
