import { allPermissions } from "../access/permissions.ts";
import { rightsOf } from "./rights.ts";
import type { UserFields } from "./user.ts";
import { parseUsername } from "./username.ts";

/**
 * The fields as they are stored: the name in its one spelling, and an administrator with every
 * permission and never locked out of changing the password.
 *
 * @throws DomainError `invalid_name`
 */
export function normalizeUser(fields: UserFields): UserFields {
  const settled = { ...fields, username: parseUsername(fields.username) };
  return settled.perm.admin ? { ...settled, perm: allPermissions(), lockPassword: false } : settled;
}

/** Whether a change gives or takes rights, so that existing sessions must end. */
export function changesRights(former: UserFields, fields: UserFields): boolean {
  return rightsOf(former, former.rules) !== rightsOf(fields, fields.rules);
}
