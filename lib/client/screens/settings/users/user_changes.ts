import type { UserFields, UserInfo } from "../../../../shared/schemas/user.ts";
import type { UserChange } from "../account_api.ts";
import { deepEqual } from "../use_settings_form.ts";

/** Fields whose change requires the user's own password. */
const POWER: readonly (keyof UserChange)[] = [
  "username",
  "password",
  "scope",
  "roots",
  "lockPassword",
  "perm",
  "commands",
  "rules",
  "groups",
];

/** The fields that differ from the record; a password that was typed is one of them. */
export function userChanges(
  { id: _, ...former }: UserInfo,
  wanted: UserFields & { password: string },
): UserChange {
  const before = { ...former, password: "" };
  const names = Object.keys(before) as (keyof typeof before)[];
  const changed = names.filter((name) => !deepEqual(before[name], wanted[name]));
  return Object.fromEntries(changed.map((name) => [name, wanted[name]]));
}

/** Whether a change gives or takes rights, or the means to sign in. */
export function changesRights(change: UserChange): boolean {
  return POWER.some((name) => change[name] !== undefined);
}
