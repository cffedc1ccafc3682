import type { Config } from "../../../../core/config/config.ts";
import type { Settings } from "../../../../../shared/schemas/settings.ts";
import type { User } from "../../users/user.ts";
import type { SessionRecord } from "../session.ts";

/** The records that decide it. */
interface Enrolling {
  user: Pick<User, "hasFactors" | "perm">;
  settings: Pick<Settings, "requireSecondFactor">;
  session: Pick<SessionRecord, "provedAt">;
}

/**
 * Whether the settings want a user to have a second factor, who has none: the session may then do
 * nothing but set one up, and end. Not where sign-ins take no password: under `noauth` and `proxy`,
 * where only accounts elsewhere may sign in, and in sessions that were opened by such an account.
 */
export function mustEnrol(
  { user, settings, session }: Enrolling,
  { authMethod, oidc }: Pick<Config, "authMethod" | "oidc">,
): boolean {
  if (user.hasFactors || settings.requireSecondFactor === "nobody") return false;
  if (authMethod !== "json" || oidc?.only || session.provedAt !== undefined) return false;
  return settings.requireSecondFactor === "everybody" || user.perm.admin;
}
