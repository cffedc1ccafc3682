import { DomainError } from "../../shared/errors.ts";
import type { Settings } from "../settings/settings.ts";
import { isRecord } from "../../shared/schemas/read.ts";
import { isBcryptHash } from "../passwords/bcrypt.ts";
import { readUserDraft } from "../users/read_user.ts";
import { fieldsOf } from "../users/user.ts";
import type { Users } from "../users/users.ts";
import { translateUser } from "./foreign.ts";

/** The result of importing one record. */
export interface Outcome {
  /** A sentence for the administrator. */
  told: string;
  taken: boolean;
  /** The user name in the record, if it is readable. */
  username?: string;
}

/** Options of the import of users. */
export interface ImportOptions {
  /** Overwrites users of the same name; otherwise they are kept. */
  overwrite: boolean;
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
  throw new DomainError("invalid_body", "Cannot read the users: the file holds no list of them");
}

/** Imports one user. An invalid record is reported, and does not stop the import. */
export async function importUser(
  record: unknown,
  options: ImportOptions & { isOwn: boolean; users: Users; settings: Settings },
): Promise<Outcome> {
  const name = isRecord(record) && typeof record.username === "string" ? record.username : "";
  const label = name === "" ? "a user without a name" : `the user "${name}"`;
  try {
    return { ...await take(record, label, options), username: name };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { told: `Not taken: ${label}: ${error.message}`, taken: false, username: name };
  }
}

async function take(
  record: unknown,
  label: string,
  { isOwn, users, settings, overwrite }: Parameters<typeof importUser>[1],
): Promise<Outcome> {
  if (!isRecord(record)) return { told: `Not taken: ${label}: it is no object`, taken: false };
  const { data, left } = isOwn ? { data: record, left: [] } : translateUser(record);
  const { password, id: _id, ...rest } = data;
  if (typeof password !== "string" || !isBcryptHash(password)) {
    return { told: `Not taken: ${label}: its password is no bcrypt hash`, taken: false };
  }
  const fields = fieldsOf(readUserDraft(rest, settings));
  const without = left.length === 0 ? "" : `, without ${left.join(", ")}`;

  const former = await users.byName(fields.username);
  if (!former) {
    await users.create({ ...fields, passwordHash: password });
    return { told: `Taken: ${label}${without}`, taken: true };
  }
  if (!overwrite) {
    return { told: `Left as it is: ${label}: there is one of this name`, taken: true };
  }
  await users.update(former.id, { ...fields, passwordHash: password });
  return { told: `Overwritten: ${label}${without}`, taken: true };
}
