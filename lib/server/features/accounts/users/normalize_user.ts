import { type NamedRoot } from "../../../../shared/schemas/named_root.ts";
import { allPermissions } from "../../../core/access/viewer.ts";
import { parseUsername } from "./username.ts";
import type { Rule } from "../../../../shared/schemas/rights.ts";
import type { UserFields, UserPreferences } from "../../../../shared/schemas/user.ts";

/**
 * The fields as they are stored: the name in its one spelling, and an administrator with every
 * permission and never locked out of changing the password.
 *
 * @param former the user's name as it is
 * @throws DomainError `invalid_name`
 */
export function normalizeUser(fields: UserFields, former?: string): UserFields {
  const groups = [...new Set(fields.groups)].sort((a, b) => a - b);
  const settled = { ...fields, username: parseUsername(fields.username, former), groups };
  return settled.perm.admin ? { ...settled, perm: allPermissions(), lockPassword: false } : settled;
}

/** Whether a change gives or takes rights, so that existing sessions must end. */
export function changesRights(former: UserFields, fields: UserFields): boolean {
  return rightsOf(former, former.rules) !== rightsOf(fields, fields.rules);
}

/**
 * The rights of a user in canonical form: equal rights are equal texts, in whatever order their
 * members were stored.
 *
 * @param rules the global rules, which apply besides
 */
export function rightsOf(
  { perm, scope, roots = [], commands }: Pick<UserPreferences, "perm" | "scope" | "commands"> & {
    roots?: readonly NamedRoot[];
  },
  rules: readonly Rule[],
): string {
  const ruleParts = rules.map(({ allow, path, regex, regexp }) => [allow, path, regex, regexp.raw]);
  const rootParts = roots.map(({ name, path, readOnly }) => [name, path, readOnly]);
  return JSON.stringify([inOrder(perm), scope, commands, ruleParts, ...rootParts]);
}

/** The members of a record in the order of their names. */
export function inOrder(record: object): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1);
}
