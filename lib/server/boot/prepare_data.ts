import type { Config } from "../core/config/config.ts";
import { databaseFiles, isFileDatabase, oddKind } from "../core/config/places.ts";
import { isBolt } from "../features/filebrowser/bolt.ts";
import { StartRefusal } from "../core/config/refusal.ts";
import { DatabaseSync } from "node:sqlite";
import { createHash } from "node:crypto";
import { basename, dirname, extname, join } from "node:path";
import { trashName } from "../core/access/names.ts";
import { cString, type Libc } from "../core/sandbox/libc.ts";

/** Only the server's account may read the store: it holds password hashes and the signing key. */
const privateFile = { read: true, write: true, create: true, mode: 0o600 };
const privateFolder = { recursive: true, mode: 0o700 };

/**
 * Creates what the server needs at its start: the cache folder, and the store's file in a writable
 * folder.
 *
 * @throws StartRefusal when that fails, or the file is not a store
 */
export function prepareData(config: Config): void {
  const { cacheDir, database } = config;
  prepareFile(database, () => config);
  try {
    Deno.mkdirSync(cacheDir, privateFolder);
  } catch {
    throw new StartRefusal(`Cannot keep the cache in "${cacheDir}": the folder cannot be made`);
  }
}

/**
 * Creates the file of a store that is a file.
 *
 * @param findPlaces where a server leaves what belongs to the store
 * @throws StartRefusal when that fails, or the file is not a store, or was emptied
 */
export function prepareFile(database: string, findPlaces: () => DataPlaces): void {
  if (!isFileDatabase(database)) return;
  if (headerOf(database) === null) refuseEmptied(database, findPlaces);
  touch(database);
}

/**
 * Whether the file contains a store.
 *
 * @throws StartRefusal when the file is not a store, or cannot be read
 */
export function holdsStore(database: string): boolean {
  return isFileDatabase(database) && headerOf(database) !== null;
}

/**
 * Prepares a store in a file for a confined process: it must be in WAL mode already, as switching
 * to it needs a journal. {@linkcode lockStore} then makes the other files.
 *
 * @throws StartRefusal when the file is not a store, or cannot become one
 */
export async function prepareStore(config: Config): Promise<void> {
  const { database } = config;
  if (!isFileDatabase(database)) return;
  if (!isInWalMode(database)) {
    const { openStore } = await import("../core/kv/store.ts");
    try {
      (await openStore(database)).close();
    } catch (error) {
      throw openingError(database, error);
    }
  }
  markStore(config);
}

/** fcntl: F_SETLKW, and a `struct flock` with F_RDLCK on the bytes that SQLite's readers lock. */
const setLock = 7;
const [sharedStart, sharedLength] = [0x4000_0002n, 510n];

/** flock: LOCK_SH, LOCK_EX and LOCK_NB. */
const [shared, exclusive, orNot] = [1, 2, 4];
/** open: O_RDWR and O_CLOEXEC, so that programs which the launcher starts do not keep the lock. */
const ownReadWrite = 0o2 | 0o2000000;

/** Keeps the lock where this process stays, and starts the server as a child. */
let held: Deno.FsFile | undefined;

/**
 * Locks a store in a file for this server, until its process ends, however it ends: a server that
 * believes itself alone ends at its start what another is doing, such as uploads. Commands do not
 * need the lock. It is on SQLite's log, which SQLite does not lock, and keeps while the store is
 * open. All of SQLite's files are made for the server, which may write them but create none in
 * their folder (it could be a broad one, such as `/`).
 *
 * @param libc null where this process does not become the server
 * @returns the descriptors that the server has to keep open
 * @throws StartRefusal when another server has locked it, unless the store is to be shared
 */
export function lockStore(
  { database, databaseShared }: Pick<Config, "database" | "databaseShared">,
  libc: Pick<Libc, "openFile" | "flock" | "lockRange"> | null,
): number[] {
  if (!isFileDatabase(database)) return [];
  const descriptors = libc ? [keepFiles(database, libc)] : [];
  const [, log = "", index = ""] = databaseFiles(database);
  for (const path of [log, index]) touch(path);
  let isOurs: boolean;
  if (libc) {
    const descriptor = libc.openFile(cString(log), ownReadWrite, 0);
    isOurs = libc.flock(descriptor, (databaseShared ? shared : exclusive) | orNot) === 0;
    descriptors.push(descriptor);
  } else {
    held = Deno.openSync(log, { read: true, write: true });
    isOurs = held.tryLockSync(!databaseShared);
  }
  if (isOurs || databaseShared) return descriptors;
  throw lockedError(database);
}

/**
 * Keeps the files of the store until the server has opened it: whoever closes a store as the last,
 * such as a command that ends just now, would remove them. The lock is a reader's of SQLite, which
 * survives `execve`, and ends when this process closes the file for the first time
 * (https://www.sqlite.org/lockingv3.html, fcntl(2)).
 *
 * @returns the descriptor that holds it
 */
function keepFiles(database: string, libc: Pick<Libc, "openFile" | "lockRange">): number {
  const descriptor = libc.openFile(cString(database), ownReadWrite, 0);
  const lock = new DataView(new ArrayBuffer(32));
  lock.setBigInt64(8, sharedStart, true);
  lock.setBigInt64(16, sharedLength, true);
  libc.lockRange(descriptor, setLock, new Uint8Array(lock.buffer));
  return descriptor;
}

/**
 * Refuses a store in a file that another server has locked, before this process opens it: that
 * could already change its records, for a newer version of the program.
 *
 * @throws StartRefusal
 */
export function refuseLocked(database: string): void {
  if (!isFileDatabase(database)) return;
  try {
    using log = Deno.openSync(`${database}-wal`, { read: true, write: true });
    if (log.tryLockSync(true)) return;
  } catch {
    // No server has it open where there is no log, or is refused later.
    return;
  }
  throw lockedError(database);
}

function lockedError(database: string): StartRefusal {
  return new StartRefusal(
    `Cannot use the database "${database}": another server uses it; stop that one, or start with ` +
      "--database-shared",
  );
}

/** Reads offsets 18 and 19 of the header. */
function isInWalMode(path: string): boolean {
  const header = headerOf(path);
  return header !== null && header[18] === 2 && header[19] === 2;
}

/** The store that a File Browser database is taken over into: beside it. */
export function importedStore(database: string): string {
  return `${database.replace(/\.db$/, "")}.kv`;
}

/** Whether the file is a database of File Browser. */
export function isForeign(database: string): boolean {
  const header = new Uint8Array(24);
  return isFileDatabase(database) && readStart(database, header) > 0 && isBolt(header);
}

/** Removes the files of a store that are there. */
export function removeFiles(path: string): void {
  for (const name of databaseFiles(path)) {
    try {
      Deno.removeSync(name);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/** SQLite's header (https://www.sqlite.org/fileformat2.html); null without a file or content. */
function headerOf(path: string): Uint8Array | null {
  refuseOddFiles(path);
  const header = new Uint8Array(24);
  if (readStart(path, header) === 0) {
    refuseLostStore(path);
    return null;
  }
  if (new TextDecoder().decode(header.subarray(0, 16)) === "SQLite format 3\0") return header;
  if (isBolt(header)) {
    throw new StartRefusal(
      `Cannot use the database "${path}": it is a File Browser database; --import imports it into ` +
        `"${importedStore(path)}" and leaves it as it is`,
    );
  }
  throw new StartRefusal(`Cannot use the database "${path}": it is not a store of this program`);
}

/** Refuses what SQLite would wait for or fail on in place of one of its files. */
function refuseOddFiles(database: string): void {
  for (const path of databaseFiles(database)) {
    const kind = oddKind(path);
    if (kind === null) continue;
    const what = path === database ? "it is" : `"${path}" beside it is`;
    throw new StartRefusal(
      `Cannot use the database "${database}": ${what} ${kind}; remove that, or name another file ` +
        "with --database",
    );
  }
}

/**
 * Refuses an empty or missing file beside SQLite's files of a store: that store was cut to nothing
 * or not brought along, and a new one in its place would remove what the log still holds.
 */
function refuseLostStore(database: string): void {
  const [, log = "", index = ""] = databaseFiles(database);
  const left = [log, index].filter((path) => sizeOf(path) > 0).map((path) => `"${path}"`);
  if (left.length === 0) return;
  throw new StartRefusal(
    `Cannot use the database "${database}": it is empty or gone, but ${left.join(" and ")} of a ` +
      "store lies beside it; restore the file from a backup, or remove the rest for a new store",
  );
}

function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch {
    return 0;
  }
}

function readStart(path: string, bytes: Uint8Array): number {
  try {
    using file = Deno.openSync(path);
    return file.readSync(bytes) ?? 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw new StartRefusal(`Cannot use the database "${path}": the file cannot be read`);
  }
}

function touch(path: string): void {
  try {
    Deno.openSync(path, privateFile).close();
  } catch {
    throw new StartRefusal(
      `Cannot use the database "${path}": the file or its folder cannot be written; give the ` +
        "server's account the right to, or name another file with --database",
    );
  }
}

/** The largest store that is checked, in bytes: 50 MB take a twentieth of a second. */
const maxCheckedBytes = 64 * 1024 * 1024;

/** How long the check waits for another process that locks the store, in milliseconds. */
const timeoutMs = 5_000;

/** SQLite's codes for a damaged file (https://www.sqlite.org/rescode.html). */
const damageCodes: readonly unknown[] = [11, 26];

/**
 * Looks for damage in a store that is a file, before it is opened: opening a damaged one can end
 * the process (Deno KV panics), and later a damaged page fails the requests that come upon it. Very
 * large stores are not checked. The file is only read.
 *
 * @throws StartRefusal when it is damaged or was cut off
 */
export function checkStore(database: string): void {
  if (!isFileDatabase(database) || !isDamaged(database)) return;
  throw new StartRefusal(
    `Cannot use the database "${database}": the file is damaged or was cut off; restore it from a ` +
      "backup, or name another with --database",
  );
}

/** Another fault, such as a lock that stays, is left to the opening of the store. */
function isDamaged(path: string): boolean {
  try {
    const { size } = Deno.statSync(path);
    if (size === 0 || size > maxCheckedBytes) return false;
    const file = new DatabaseSync(path, { readOnly: true, timeout: timeoutMs });
    try {
      return file.prepare("PRAGMA quick_check(1)").get()?.quick_check !== "ok";
    } finally {
      file.close();
    }
  } catch (error) {
    return error instanceof Error && "errcode" in error &&
      damageCodes.includes(Number(error.errcode) & 0xff);
  }
}

/** The refusal of a store that could not be opened. */
export function openingError(database: string, error: unknown): StartRefusal {
  return new StartRefusal(`Cannot use the database "${database}": ${reasonOf(error)}`);
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "it cannot be read and written";
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^Cannot [^:"]*: /, "");
}

/** The folders in which a server leaves what belongs to its store. */
export type DataPlaces = Partial<Pick<Config, "cacheDir" | "root">>;

/**
 * Refuses an empty file of a store beside data that belong to one: the store was cut to nothing. A
 * new one in its place would have a new administrator, and none of the users. An empty file alone
 * is a new store's: some containers need the file before the first start.
 *
 * @param findPlaces called only for an empty file
 * @throws StartRefusal with what was found
 */
export function refuseEmptied(database: string, findPlaces: () => DataPlaces): void {
  if (!isFileDatabase(database) || !isEmpty(database)) return;
  const { cacheDir = join(dirname(database), ".cubby-cache"), root } = findPlaces();
  const sign = [
    markerIn(cacheDir, database),
    ...root === undefined ? [] : [join(root, trashName)],
  ].find(exists) ?? findCopy(database);
  if (sign === undefined) return;
  throw new StartRefusal(
    `Cannot use the database "${database}": it is empty, but "${sign}" is left of a store; restore ` +
      "it from a backup, or remove the empty file for a new store",
  );
}

/** Notes in the cache folder that there is a store, for {@linkcode refuseEmptied}. */
function markStore({ database, cacheDir }: Pick<Config, "database" | "cacheDir">): void {
  if (!isFileDatabase(database) || isEmpty(database)) return;
  try {
    Deno.writeTextFileSync(markerIn(cacheDir, database), "", { mode: 0o600 });
  } catch {
    // Its disk is full or read-only, which the cache itself stands.
  }
}

/** By the name of the store, as stores of one folder share a cache folder unless one is named. */
function markerIn(cacheDir: string, database: string): string {
  const digest = createHash("sha256").update(basename(database)).digest("hex");
  return join(cacheDir, `store-${digest.slice(0, 16)}`);
}

/** A backup, or a former store that a restore kept: another store whose name begins alike. */
function findCopy(database: string): string | undefined {
  const folder = dirname(database);
  const stem = basename(database, extname(database));
  const own = new Set(databaseFiles(database));
  try {
    for (const { name, isFile } of Deno.readDirSync(folder)) {
      const path = join(folder, name);
      const isCopy = isFile && name.startsWith(stem) && !name.endsWith(".unfinished") &&
        !own.has(path) && isStore(path);
      if (isCopy) return path;
    }
  } catch {
    // A folder that cannot be listed shows no copies.
  }
  return undefined;
}

function isStore(path: string): boolean {
  try {
    using file = Deno.openSync(path);
    const header = new Uint8Array(16);
    file.readSync(header);
    return new TextDecoder().decode(header) === "SQLite format 3\0";
  } catch {
    return false;
  }
}

function isEmpty(path: string): boolean {
  try {
    const { isFile, size } = Deno.statSync(path);
    return isFile && size === 0;
  } catch {
    return false;
  }
}

/** Whether there is an entry, whatever it is. */
export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
