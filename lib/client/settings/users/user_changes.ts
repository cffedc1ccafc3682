import type { UserFields, UserInfo } from "../../../shared/api_types.ts";
import { isAlike } from "../alike.ts";
import type { UserChange } from "../account_api.ts";

/** Fields whose change wants the own password. */
const POWER: readonly (keyof UserChange)[] = [
  "username",
  "password",
  "scope",
  "lockPassword",
  "perm",
  "commands",
  "rules",
];

/** The fields that differ from those of the record, and a password if one was typed. */
export function userChanges(
  former: UserInfo,
  wanted: UserFields,
  password: string,
): UserChange {
  const { id: _, ...fields } = former;
  const names = Object.keys(fields) as (keyof UserFields)[];
  const changed = names.filter((name) => !isAlike(former[name], wanted[name]));
  const change: UserChange = Object.fromEntries(changed.map((name) => [name, wanted[name]]));
  return password === "" ? change : { ...change, password };
}

/** Whether a change gives or takes rights, or the means to sign in. */
export function changesRights(change: UserChange): boolean {
  return POWER.some((name) => change[name] !== undefined);
}
