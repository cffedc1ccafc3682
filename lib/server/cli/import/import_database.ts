import { boundedTime } from "../../../shared/time.ts";
import { resolve } from "node:path";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, joinPaths, parsePath, ROOT } from "../../../shared/path.ts";
import { type ForeignRecord, readForeignRecords } from "../../features/filebrowser/records.ts";
import { digestOf } from "../../core/kv/random_id.ts";
import { isBcryptHash } from "../../features/accounts/passwords/bcrypt.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import { importMark } from "../../core/kv/server_records.ts";
import { isLocked } from "../../features/filebrowser/bolt.ts";
import { freshAdmin } from "../../features/accounts/users/fresh_admin.ts";
import type { Share } from "../../features/links/shares/share.ts";
import { saveSettings } from "../activities.ts";
import { type Call, wordAt } from "../command.ts";
import { translateUser } from "./foreign.ts";
import { translateServer } from "./foreign_server.ts";
import { storeOptions } from "./import_config.ts";
import { readForeignSettings } from "./import_settings.ts";
import {
  isAboutRecord,
  type Newcomer,
  ownersOfNames,
  readNewcomer,
  storeUser,
} from "./import_users.ts";

/** A user of the database who can be imported. */
interface ForeignUser extends Newcomer {
  /** The id in the database, by which shares name their owner. */
  id: unknown;
}

/** A share that is ready to be stored, once its owner has an id. */
type NewShare = Omit<Share, "userId"> & { owner: ForeignUser };

/**
 * Imports a whole database of File Browser: users, shares, settings and options. All of it is read
 * before the first record is written. What cannot be imported is printed, and does not stop the
 * rest. An import that was interrupted is completed by the next one.
 *
 * @throws DomainError when the database cannot be read: nothing is stored then
 */
export async function importDatabase(call: Call): Promise<void> {
  const { records, flags, print, cwd } = call;
  const isDry = flags.get("dry-run") === "true";
  const path = resolve(cwd, wordAt(call, 0, "file"));
  const foreign = readForeignRecords(path);
  const isRunning = isLocked(path);

  const { settings, names, notes } = readForeignSettings(foreign, await records.settings.get());
  const server = translateServer({ ...foreign });
  const { users, left } = readUsers(foreign.users, settings);
  const overwrite = flags.get("overwrite") === "true";
  const { note, store } = records;
  const storing = { users: records.users, overwrite, note, unused: await freshAdmin(store) };
  const mark = { from: path, at: Date.now() };
  if (!isDry) await importMark.set(store, [], { ...mark, isComplete: false });

  const imported: ForeignUser[] = [];
  for (const user of users) {
    const name = user.fields.username;
    try {
      print(isDry ? `Would import: the user "${name}"` : await storeUser(user, storing));
      for (const each of user.notes) print(`  ${each}`);
      imported.push(user);
    } catch (error) {
      if (!isAboutRecord(error)) throw error;
      left.push(notImported(name, error.message));
    }
  }
  for (const line of left) print(line);
  if (!imported.some(({ fields }) => fields.perm.admin)) {
    print('No administrator was imported: "cubby users add NAME --perm.admin" adds one');
  }
  const { unused } = storing;
  if (unused && !imported.some(({ fields }) => fields.username === unused.username)) {
    print(
      `The administrator "${unused.username}" of the first start stays: "cubby users rm" removes it`,
    );
  }
  await importShares(call, readShares(foreign.links, imported), isDry);
  if (!isDry) await saveSettings(records, settings);
  print(`${isDry ? "Would import" : "Imported"}: the settings ${names.join(", ")}`);
  for (const each of notes) print(`  ${each}`);
  const options = new Map(server.options);
  if (options.get("auth-method") === "noauth" && !isDry && !await hasSameFirst(call, imported)) {
    options.delete("auth-method");
    print("Left out: noauth: every visitor would be another user than in File Browser");
  }
  if (isDry) print(`Would import for the next start: ${[...options.keys()].join(", ")}`);
  else await storeOptions(call, options);
  for (const each of options.has("auth-method") ? server.needs : []) print(`  ${each}`);
  for (const each of server.omitted) print(`Left out: ${each}`);
  if (isRunning) {
    print(`File Browser is running on "${path}": what it changes from now on is not imported`);
  }
  if (!isDry) await importMark.set(store, [], { ...mark, isComplete: true });
}

/** Whether the user 1, who is every visitor without sign-in, is that of File Browser. */
async function hasSameFirst({ records }: Call, users: readonly ForeignUser[]): Promise<boolean> {
  const first = users.find(({ id }) => id === 1);
  return first !== undefined && (await records.users.byName(first.fields.username))?.id === 1;
}

/** The users who can be imported, and a line about each of the others. */
function readUsers(
  records: readonly ForeignRecord[],
  settings: Settings,
): { users: ForeignUser[]; left: string[] } {
  const owners = ownersOfNames(records);
  const users: ForeignUser[] = [];
  const left: string[] = [];
  for (const record of records) {
    const name = typeof record.username === "string" ? record.username : "";
    try {
      const user = readNewcomer(record, translateUser(record).data, { settings, owners });
      users.push({ ...user, id: record.id });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      left.push(notImported(name, error.message));
    }
  }
  return { users, left };
}

function notImported(name: string, reason: string): string {
  return `Not imported: the user ${JSON.stringify(name)}: ${reason}`;
}

/** The shares that still open something, and a line about each of the others. */
function readShares(
  links: readonly ForeignRecord[],
  users: readonly ForeignUser[],
): { shares: NewShare[]; left: string[] } {
  const owners = new Map(users.map((user) => [user.id, user]));
  const shares: NewShare[] = [];
  const left: string[] = [];
  for (const link of links) {
    const hash = typeof link.hash === "string" ? link.hash : "";
    try {
      shares.push(readShare(link, hash, owners.get(link.userID)));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      left.push(`Left out: the share ${JSON.stringify(hash)}: ${error.message}`);
    }
  }
  return { shares, left };
}

/** File Browser's tokens of shares have 128 characters; one that could be guessed is not imported. */
const minToken = 32;

/** @throws DomainError with the reason why it cannot be imported */
function readShare(link: ForeignRecord, hash: string, owner: ForeignUser | undefined): NewShare {
  const refusedError = (reason: string) => new DomainError("invalid_body", reason);
  const expire = typeof link.expire === "number"
    ? Math.floor(boundedTime(Math.max(0, link.expire) * 1000) / 1000)
    : 0;
  if (!/^[\w-]{1,64}$/.test(hash)) throw refusedError("its address is malformed");
  if (!owner) throw refusedError("its owner is gone, or was not imported");
  if (expire !== 0 && expire * 1000 <= Date.now()) throw refusedError("it has expired");
  const secret = link.password_hash;
  const passwordHash = typeof secret === "string" && secret !== "" ? secret : null;
  if (passwordHash !== null && !isBcryptHash(passwordHash)) {
    throw refusedError("its password is not a bcrypt hash");
  }
  const { token } = link;
  const isToken = passwordHash !== null && typeof token === "string" && token.length >= minToken;
  const path = joinPaths(parsePath(owner.fields.scope).path, pathOf(link.path));
  const shared = { hash, owner, path, place: path, expire, passwordHash };
  return isToken ? { ...shared, tokenDigest: digestOf(token) } : shared;
}

/** File Browser stores paths with and without slashes at both ends. */
function pathOf(path: unknown): EntryPath {
  return typeof path === "string" ? parsePath(`/${path}`).path : ROOT;
}

/** Shares between two lines of progress: some ten seconds, as each is synced to the disk. */
const sharesPerLine = 5_000;

async function importShares(
  call: Call,
  { shares, left }: ReturnType<typeof readShares>,
  isDry: boolean,
): Promise<void> {
  for (const [at, share] of isDry ? [] : shares.entries()) {
    if (at > 0 && at % sharesPerLine === 0) {
      call.print(`Importing: ${at} of ${shares.length} shares`);
    }
    await storeShare(call, share);
  }
  call.print(`${isDry ? "Would import" : "Imported"}: ${shares.length} shares`);
  for (const line of left) call.print(line);
}

async function storeShare({ records }: Call, { owner, ...share }: NewShare): Promise<void> {
  const user = await records.users.byName(owner.fields.username);
  if (!user) return;
  await records.shares.adopt({ ...share, userId: user.id });
  await records.note("share_add", { path: share.place, subject: share.hash });
}
