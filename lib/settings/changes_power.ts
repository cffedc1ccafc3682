import type { Settings } from "./settings.ts";

/**
 * Whether a change of the settings gives or takes rights, now or to the users to come, or has the
 * server run other commands. A borrowed session must not do that: who does it is asked for the own
 * password once more.
 */
export function changesPower(former: Settings, next: Settings): boolean {
  return powerOf(former) !== powerOf(next);
}

function powerOf({ rules, shell, commands, defaults, signup }: Settings): string {
  const ruleParts = rules.map((rule) => [rule.allow, rule.path, rule.regex, rule.regexp.raw]);
  return JSON.stringify([
    ruleParts,
    shell,
    sorted(commands),
    sorted(defaults.perm),
    defaults.scope,
    defaults.commands,
    signup,
  ]);
}

function sorted(record: object): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1);
}
