import type { Config } from "../../config/config.ts";
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
