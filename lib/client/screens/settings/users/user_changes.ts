import type { UserFields, UserInfo } from "../../../../shared/api_types.ts";
import type { UserChange } from "../account_api.ts";

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

/** The fields that differ from the record, and the password if one was typed. */
export function userChanges(
  former: UserInfo,
  wanted: UserFields,
  password: string,
): UserChange {
  const { id: _, ...fields } = former;
  const names = Object.keys(fields) as (keyof UserFields)[];
  const changed = names.filter((name) => !deepEqual(former[name], wanted[name]));
  const change: UserChange = Object.fromEntries(changed.map((name) => [name, wanted[name]]));
  return password === "" ? change : { ...change, password };
}

/** Whether a change gives or takes rights, or the means to sign in. */
export function changesRights(change: UserChange): boolean {
  return POWER.some((name) => change[name] !== undefined);
}

/** Whether two JSON values are equal, regardless of the order of members. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => deepEqual(Reflect.get(a, key), Reflect.get(b, key)));
}
