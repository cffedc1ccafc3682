import { inOrder, rightsOf } from "../accounts/users/normalize_user.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";

/**
 * Whether a change of the settings gives or takes rights, now or for future users, or has the
 * server run other commands. A borrowed session must not do that: the change requires the user's
 * own password.
 */
export function escalatesPrivileges(former: Settings, next: Settings): boolean {
  return privilegesOf(former) !== privilegesOf(next);
}

function privilegesOf(settings: Settings): string {
  const { defaults, rules, shell, commands, signup, createUserDir } = settings;
  const { requireSecondFactor, audit, maxLinkRight } = settings;
  // Without homes of their own, future users share the default scope.
  return JSON.stringify([
    rightsOf(defaults, rules),
    shell,
    inOrder(commands),
    signup,
    createUserDir,
    // A hijacked session must not be able to erase its traces.
    inOrder(audit),
    requireSecondFactor,
    // Decides what strangers may do with files that are shared already.
    maxLinkRight,
  ]);
}
