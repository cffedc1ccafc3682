import { DomainError } from "../../shared/errors.ts";
import { Fields, laidOver } from "../settings/fields.ts";
import type { Settings } from "../settings/settings.ts";
import { readPreferences, readRules } from "./read_fields.ts";
import type { User, UserChange, UserDraft, UserFields } from "./user.ts";

/** What a request may say it changes about a user. */
export const userFieldNames = [
  "username",
  "password",
  "scope",
  "locale",
  "lockPassword",
  "perm",
  "commands",
  "rules",
  "hideDotfiles",
  "singleClick",
  "dateFormat",
  "viewMode",
  "sorting",
] as const;

/** The name of a field that a request may change. */
export type UserFieldName = typeof userFieldNames[number];

/**
 * The fields that a request wants to change: `which` without regard to case. Nothing, an empty
 * list and a list with `all` mean all fields.
 *
 * @throws DomainError `invalid_body` for an unknown name
 */
export function readWhich(which: unknown): UserFieldName[] {
  const names = new Fields({ which }).texts("which") ?? [];
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
  const change = readAll(new Fields(data), user);
  const all = which.length === userFieldNames.length;
  const given = which.filter((name) => {
    if (change[name] === undefined && !all) {
      throw new DomainError("invalid_body", `Cannot change "${name}": the new value is missing`);
    }
    return change[name] !== undefined && !(all && name === "password" && change[name] === "");
  });
  return Object.fromEntries(given.map((name) => [name, change[name]]));
}

/**
 * Reads a new user from a request; what it leaves out comes from the defaults.
 *
 * @throws DomainError `invalid_body`; `invalid_path` for the scope; `invalid_rule`
 */
export function readUserDraft(data: unknown, { defaults }: Settings): UserDraft {
  const blank: UserFields = { ...defaults, username: "", lockPassword: false, rules: [] };
  const { password = "", ...fields } = readAll(new Fields(data), blank);
  return { ...laidOver(blank, fields), password };
}

function readAll(fields: Fields, base: UserFields): UserChange {
  return {
    username: fields.text("username"),
    password: fields.text("password"),
    lockPassword: fields.flag("lockPassword"),
    rules: readRules(fields),
    ...readPreferences(fields, base),
  };
}

function fieldName(name: string): UserFieldName {
  const field = userFieldNames.find((each) => each.toLowerCase() === name.toLowerCase());
  if (field) return field;
  throw new DomainError("invalid_body", `Cannot change "${name}": a user has no such field`);
}
