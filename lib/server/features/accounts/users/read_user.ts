import { DomainError } from "../../../../shared/errors.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import { listOrNone, notesOf, shape, texts } from "../../../../shared/schemas/parts.ts";
import { mergePatch, patchOf, read } from "../../../../shared/schemas/read.ts";
import { userChangeSchema } from "../../../../shared/schemas/user.ts";
import { blankUser, fieldsOf, type User, type UserChange, type UserDraft } from "./user.ts";

/** The name of a field that a request may change. */
export type UserFieldName = keyof typeof userChangeSchema.entries;

/** The fields of a user that a request may change. */
export const userFieldNames = Object.keys(userChangeSchema.entries) as UserFieldName[];

/** The fields that users who are no administrators may change of themselves. */
export const ownFieldNames: readonly UserFieldName[] = userFieldNames
  .filter((name) => notesOf(userChangeSchema.entries[name]).own);

const userPatch = patchOf(userChangeSchema);

const whichSchema = shape({ which: listOrNone(texts) });

/**
 * The fields that a request wants to change: `which`, case-insensitive. A missing or empty list and
 * a list with `all` mean all fields.
 *
 * @throws DomainError `invalid_body` for an unknown name
 */
export function readWhich(which: unknown): UserFieldName[] {
  const names = read(whichSchema, { which }).which;
  const known = new Set(names.filter((name) => name.toLowerCase() !== "all").map(fieldName));
  const all = names.length === 0 || names.some((name) => name.toLowerCase() === "all");
  return all ? [...userFieldNames] : [...known];
}

/**
 * Reads the change of a user from a request: the fields that `which` names. When it names them all,
 * those that are missing stay as they are, and so does the password if it is empty.
 *
 * @param data the JSON that was sent
 * @throws DomainError `invalid_body`; `invalid_path` for the scope; `invalid_rule`
 */
export function readUserChange(
  data: unknown,
  which: readonly UserFieldName[],
  user: User,
): UserChange {
  const change = read(userPatch, data);
  const all = which.length === userFieldNames.length;
  const given = which.filter((name) => {
    if (change[name] === undefined && !all) {
      throw new DomainError("invalid_body", `Cannot change "${name}": the new value is missing`);
    }
    return change[name] !== undefined && !(all && name === "password" && change[name] === "");
  });
  const changed = mergePatch({ ...fieldsOf(user), password: "" }, change);
  return Object.fromEntries(given.map((name) => [name, changed[name]]));
}

/**
 * Reads a new user from a request; what it leaves out comes from the defaults.
 *
 * @throws DomainError `invalid_body`; `invalid_path` for the scope; `invalid_rule`
 */
export function readUserDraft(data: unknown, { defaults }: Settings): UserDraft {
  return mergePatch({ ...blankUser(), ...defaults, password: "" }, read(userPatch, data));
}

function fieldName(name: string): UserFieldName {
  const field = userFieldNames.find((each) => each.toLowerCase() === name.toLowerCase());
  if (field) return field;
  throw new DomainError("invalid_body", `Cannot change "${name}": a user has no such field`);
}
