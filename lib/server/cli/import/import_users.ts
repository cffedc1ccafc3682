import { DomainError } from "../../../shared/errors.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import { isRecord } from "../../../shared/schemas/read.ts";
import { isBcryptHash } from "../../features/accounts/passwords/bcrypt.ts";
import { readUserDraft } from "../../features/accounts/users/read_user.ts";
import { fieldsOf, type User } from "../../features/accounts/users/user.ts";
import type { UserFields } from "../../../shared/schemas/user.ts";
import type { Note } from "../activities.ts";
import type { Call } from "../command.ts";
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
  },
): Promise<Outcome> {
  const name = isRecord(record) && typeof record.username === "string" ? record.username : "";
  const label = name === "" ? "a user without a name" : `the user "${name}"`;
  try {
    return { ...await importRecord(record, label, options), username: name };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return {
      message: `Not imported: ${label}: ${error.message}`,
      isImported: false,
      username: name,
    };
  }
}

async function importRecord(
  record: unknown,
  label: string,
  { isOwn, settings, ...storing }: Parameters<typeof importUser>[1],
): Promise<Outcome> {
  if (!isRecord(record)) {
    return { message: `Not imported: ${label}: it is not an object`, isImported: false };
  }
  const { data, omitted }: Translated = isOwn
    ? { data: record, omitted: [] }
    : translateUser(record);
  const { password, id: _id, groups, ...rest } = data;
  if (typeof password !== "string" || !isBcryptHash(password)) {
    return {
      message: `Not imported: ${label}: its password is not a bcrypt hash`,
      isImported: false,
    };
  }
  const joined = await groupsOf(storing.users, isOwn ? groups : []);
  omitted.push(...joined.missing.map((name) => `the group "${name}", which does not exist`));
  const fields = fieldsOf(readUserDraft({ ...rest, groups: joined.ids }, settings));
  const gains = gainsOf(record, fields);
  const more = [
    omitted.length === 0 ? "" : `, without ${omitted.join(", ")}`,
    gains.length === 0 ? "" : `; as an administrator, the user gains: ${gains.join(", ")}`,
  ].join("");
  const newcomer = { fields, passwordHash: password };
  const message = await storeUser(newcomer, storing) + more;
  return { message, isImported: true };
}

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
export function gainsOf(record: Record<string, unknown>, { perm }: UserFields): string[] {
  const former = isRecord(record.perm) ? record.perm : {};
  return perm.admin ? Object.keys(former).filter((name) => former[name] === false) : [];
}

/** The administrator whom a first start made, if it is unchanged and has no session. */
export async function freshAdmin(
  { users, hasSessions }: Pick<Call["records"], "users" | "hasSessions">,
): Promise<User | null> {
  const [first, ...others] = await users.list();
  if (!first || others.length > 0 || first.id !== 1 || first.version !== 1) return null;
  return await hasSessions(first.id) ? null : first;
}

/** Stores a user unless there is one of this name; answers with a line about it. */
export async function storeUser(
  { fields, passwordHash }: { fields: UserFields; passwordHash: string },
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
