import { DomainError } from "../../../../shared/errors.ts";
import { mergePatch } from "../../../../shared/schemas/read.ts";
import { ownFieldNames, type UserFieldName } from "./read_user.ts";
import { changesRights } from "./normalize_user.ts";
import { fieldsOf, type User, type UserChange } from "./user.ts";

/**
 * Refuses changes that a user who is no administrator may not make to their own record.
 *
 * @param which the fields the request names, as they are spelled in the record
 * @throws DomainError `forbidden`
 */
export function checkOwnChange(user: User, which: readonly UserFieldName[]): void {
  const foreign = which.find((name) => !ownFieldNames.includes(name));
  if (foreign !== undefined) {
    throw new DomainError("forbidden", `Cannot change "${foreign}": an administrator has to do it`);
  }
  if (user.lockPassword && which.includes("password")) {
    throw new DomainError("forbidden", "Cannot change the password: an administrator has to do it");
  }
}

/**
 * Whether a borrowed session must not make a change: it gives or takes rights, or the means to sign
 * in. Such a change requires the user's own password.
 */
export function needsConfirmation(user: User, { password, ...change }: UserChange): boolean {
  const fields = mergePatch(fieldsOf(user), change);
  return password !== undefined || fields.username !== user.username ||
    fields.lockPassword !== user.lockPassword || changesRights(user, fields) ||
    fields.groups.join() !== user.groups.join();
}
