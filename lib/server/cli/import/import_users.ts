import { DomainError, type ErrorCode } from "../../../shared/errors.ts";
import * as v from "valibot";
import { checkRules } from "../../../shared/rules/validate.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import { isRecord } from "../../../shared/schemas/read.ts";
import { canonicalName } from "../../features/accounts/users/username.ts";
import { isBcryptHash } from "../../features/accounts/passwords/bcrypt.ts";
import { readUserDraft } from "../../features/accounts/users/read_user.ts";
import { fieldsOf, type User } from "../../features/accounts/users/user.ts";
import { preferencesSchema, type UserFields } from "../../../shared/schemas/user.ts";
import { normalizeUser } from "../../features/accounts/users/normalize_user.ts";
import type { Note } from "../activities.ts";
import type { Users } from "../../features/accounts/users/users.ts";
import { type Translated, translateUser } from "./foreign.ts";

/** The result of importing one record. */
export interface Outcome {
  /** A sentence for the administrator. */
  message: string;
  isImported: boolean;
  /** The user name in the record, if it is readable. */
  username?: string;
}

/** Options of the import of users. */
export interface ImportOptions {
  /** Overwrites users of the same name; otherwise they are kept. */
  overwrite: boolean;
  /** Takes down which users were made and changed. */
  note: Note;
}

/**
 * The users in a file: File Browser's, a list, or our own, which is marked as such.
 *
 * @throws DomainError `invalid_body`
 */
export function usersIn(content: unknown): { records: unknown[]; isOwn: boolean } {
  if (Array.isArray(content)) return { records: content, isOwn: false };
  if (isRecord(content) && "cubby" in content && Array.isArray(content.users)) {
    return { records: content.users, isOwn: true };
  }
  throw new DomainError("invalid_body", "Cannot read the users: the file has no list of users");
}

/** Imports one user. An invalid record is reported, and does not stop the import. */
export async function importUser(
  record: unknown,
  options: ImportOptions & {
    isOwn: boolean;
    users: Users;
    settings: Settings;
    unused: User | null;
    /** Of all records of the file. */
    owners: NameOwners;
  },
): Promise<Outcome> {
  const name = isRecord(record) && typeof record.username === "string" ? record.username : "";
  const label = name === "" ? "a user without a name" : `the user "${name}"`;
  try {
    return { ...await importRecord(record, label, options), username: name };
  } catch (error) {
    if (!isAboutRecord(error)) throw error;
    return {
      message: `Not imported: ${label}: ${error.message}`,
      isImported: false,
      username: name,
    };
  }
}

/** Errors of the store and its disk, not of a record: the import has to be made again. */
const faults: readonly ErrorCode[] = [
  "disk_full",
  "disk_error",
  "disk_away",
  "disk_timeout",
  "busy",
];

/** Whether an error says why a record cannot be imported, which does not stop the others. */
export function isAboutRecord(error: unknown): error is DomainError {
  return error instanceof DomainError && !faults.includes(error.code);
}

async function importRecord(
  record: unknown,
  label: string,
  { isOwn, settings, owners, ...storing }: Parameters<typeof importUser>[1],
): Promise<Outcome> {
  if (!isRecord(record)) {
    return { message: `Not imported: ${label}: it is not an object`, isImported: false };
  }
  const { data, omitted }: Translated = isOwn
    ? { data: record, omitted: [] }
    : translateUser(record);
  const joined = await groupsOf(storing.users, isOwn ? data.groups : []);
  omitted.push(...joined.missing.map((name) => `the group "${name}", which does not exist`));
  const newcomer = readNewcomer(record, { ...data, groups: joined.ids }, { settings, owners });
  const without = omitted.length === 0 ? "" : `, without ${omitted.join(", ")}`;
  const stored = await storeUser(newcomer, storing) + without;
  return { message: [stored, ...newcomer.notes].join("; "), isImported: true };
}

/** A user that is ready to be stored. */
export interface Newcomer {
  fields: UserFields;
  passwordHash: string;
  /** What differs from the record. */
  notes: string[];
}

/**
 * Fields that decide nothing about what a user may do and reach: an unreadable value is replaced by
 * the default.
 */
const spared = Object.keys(
  v.omit(preferencesSchema, ["scope", "perm", "quota", "hideDotfiles"]).entries,
);

/** The record that gets each name. */
export type NameOwners = ReadonlyMap<string, unknown>;

/**
 * Finds the record that gets each name. File Browser tells names apart that are one here: by spaces
 * around them, or by the form of Unicode. A proxy that names a user must not sign the other one in,
 * so that the user who is spelled that way gets the name, or else the first.
 */
export function ownersOfNames(records: readonly unknown[]): NameOwners {
  const owners = new Map<string, unknown>();
  const exact = new Set<string>();
  for (const record of records) {
    if (!isRecord(record) || typeof record.username !== "string") continue;
    const name = canonicalName(record.username);
    if (name === null || exact.has(name)) continue;
    const isExact = name === record.username;
    if (isExact) exact.add(name);
    if (isExact || !owners.has(name)) owners.set(name, record);
  }
  return owners;
}

/**
 * Reads a user, as a record of File Browser or of this program has it.
 *
 * @param record as it was written
 * @param data the record, translated
 * @throws DomainError when the user cannot be imported
 */
export function readNewcomer(
  record: Record<string, unknown>,
  { password, id: _, ...data }: Record<string, unknown>,
  { settings, owners }: { settings: Settings; owners: NameOwners },
): Newcomer {
  if (typeof password !== "string" || !isBcryptHash(password)) {
    throw new DomainError("invalid_body", "its password is not a bcrypt hash");
  }
  const notes: string[] = [];
  const kept = { ...data };
  for (const name of spared) {
    const reason = reasonOf(() => readUserDraft({ [name]: data[name] }, settings));
    if (reason === null) continue;
    // The default of commands may be some.
    if (name === "commands") kept.commands = [];
    else delete kept[name];
    notes.push(`${name} is the default: ${reason}`);
  }
  const rules = readableRules(data.rules);
  if (rules.unused.length > 0) kept.rules = rules.kept;
  notes.push(...rules.unused);
  const draft = readUserDraft(kept, settings);
  const fields = normalizeUser(fieldsOf(draft));
  if (owners.get(fields.username) !== record) {
    throw new DomainError("exists", "another user has this name here");
  }
  if (fields.username !== record.username) notes.push(`the name is "${fields.username}" here`);
  const gains = gainsOf(record, fields);
  if (gains.length > 0) notes.push(`as an administrator, the user gains: ${gains.join(", ")}`);
  if (record.lockPassword === true && !fields.lockPassword) {
    notes.push("as an administrator, the user may change the password: lockPassword is off");
  }
  return { fields, passwordHash: password, notes };
}

/** Why a value cannot be read; null when it can. */
export function reasonOf(readValue: () => unknown): string | null {
  try {
    readValue();
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.message.replace(/^Cannot read [^:"]*: /, "");
  }
}

/**
 * The rules without those by a path that no entry can have: they match nothing in File Browser, and
 * are refused here.
 */
export function readableRules(rules: unknown): { kept: unknown[]; unused: string[] } {
  const list = Array.isArray(rules) ? rules : [];
  const isUnused = (rule: unknown) =>
    isRecord(rule) && rule.regex !== true && typeof rule.path === "string" &&
    reasonOf(() => checkRules([{ ...emptyRule, path: `${rule.path}` }])) !== null;
  return {
    kept: list.filter((rule) => !isUnused(rule)),
    unused: list.filter(isUnused)
      .map(({ path }) =>
        `without the rule for ${JSON.stringify(path)}: no entry can have this path`
      ),
  };
}

const emptyRule = { allow: false, path: "", regex: false, regexp: { raw: "" } };

/** The groups here of the names in an export, and the names that no group here has. */
async function groupsOf(
  users: Users,
  given: unknown,
): Promise<{ ids: number[]; missing: string[] }> {
  const names = Array.isArray(given) ? given.filter((name) => typeof name === "string") : [];
  const known = names.length === 0 ? [] : await users.groups.list();
  return {
    ids: known.filter(({ name }) => names.includes(name)).map(({ id }) => id),
    missing: names.filter((each) => !known.some(({ name }) => name === each)),
  };
}

/** The permissions that an administrator gets although File Browser's record denies them. */
function gainsOf(record: Record<string, unknown>, { perm }: UserFields): string[] {
  const former = isRecord(record.perm) ? record.perm : {};
  return perm.admin ? Object.keys(former).filter((name) => former[name] === false) : [];
}

/** Stores a user unless there is one of this name; answers with a line about it. */
export async function storeUser(
  { fields, passwordHash }: Pick<Newcomer, "fields" | "passwordHash">,
  { users, overwrite, unused, note }: ImportOptions & { users: Users; unused: User | null },
): Promise<string> {
  const name = `the user "${fields.username}"`;
  const former = await users.byName(fields.username);
  if (!former) {
    await users.create({ ...fields, passwordHash });
    await note("user_add", { subject: fields.username });
    return `Imported: ${name}`;
  }
  const isUnused = former.id === unused?.id;
  if (!isUnused && !overwrite) {
    return `Left as it is: ${name}: the user exists; --overwrite replaces it`;
  }
  await users.update(former.id, { ...fields, passwordHash });
  await note("user_change", {
    subject: `${former.username}: all`,
    details: { account: former.id, fields: ["password"] },
  });
  const more = isUnused ? ", replacing the user that the first start created" : "";
  return `Overwritten: ${name}${more}`;
}
