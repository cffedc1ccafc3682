import { basename, dirname, join } from "node:path";
import { DomainError } from "../../shared/errors.ts";
import { isFileDatabase } from "../core/config/places.ts";
import { StartRefusal } from "../core/config/refusal.ts";
import { checkStore, holdsStore, openingError, removeFiles } from "../boot/prepare_data.ts";
import { copyFile, isWhole, settledRecords, writeRecords } from "../core/kv/snapshot.ts";
import { type OpeningOptions, openStore, type Store } from "../core/kv/store.ts";
import { countUsers } from "../features/accounts/users/user_counts.ts";

/** The parts of a copy. */
export interface Copied {
  users: number;
  records: number;
  bytes: number;
}

/** How a copy is read back. */
interface Inspection extends Pick<OpeningOptions, "keepsSchema"> {
  /** Changes the records of the copy. */
  change?(store: Store): Promise<void>;
}

/**
 * The place of a new file, in a folder that exists.
 *
 * @param named the path as the user gave it, for messages
 * @throws DomainError `exists`, `not_found`
 */
export function findNewFile(named: string, path: string): string {
  let folder: string;
  try {
    folder = Deno.realPathSync(dirname(path));
  } catch {
    throw new DomainError("not_found", `Cannot write "${named}": its folder does not exist`);
  }
  const file = join(folder, basename(path));
  refuseExisting(named, file);
  return file;
}

/**
 * Copies a store into a new file that only this account may read, as it is at one moment. The file
 * is a store itself. It gets its name when it is complete, on the disk, and was read back.
 *
 * @param named the file as the user gave it, for messages
 * @throws StartRefusal when there is no store, or it cannot be used
 * @throws DomainError `exists`, `forbidden`, `disk_full`, `disk_error`
 */
export async function writeBackup(database: string, file: string, named: string): Promise<Copied> {
  if (database === ":memory:") {
    throw new StartRefusal("Cannot back up: the store is only in memory");
  }
  const isFile = isFileDatabase(database);
  if (isFile && !holdsStore(database)) {
    throw new StartRefusal(
      `Cannot back up: there is no store in "${database}"; --database names another place`,
    );
  }
  if (isFile) checkStore(database);
  const unfinished = makeUnfinished(dirname(file), named);
  try {
    if (isFile) copyFile(database, unfinished);
    else await copyRemote(database, unfinished);
    const what = `Cannot back up: the copy of "${database}"`;
    const copied = await inspect(unfinished, what, { keepsSchema: true });
    syncFile(unfinished);
    giveName(unfinished, file, named);
    return copied;
  } finally {
    removeFiles(unfinished);
  }
}

/**
 * Reads a copy back: that it is whole, that this program can open it, and that it has users.
 *
 * @param what for messages: `Cannot restore "x.kv": it`
 * @throws StartRefusal with the reason
 */
export async function inspect(
  path: string,
  what: string,
  { keepsSchema = false, change }: Inspection,
): Promise<Copied> {
  if (!isWhole(path)) throw new StartRefusal(`${what} is damaged or not a store of this program`);
  let store: Store;
  try {
    store = await openStore(path, { keepsSchema });
  } catch (error) {
    throw new StartRefusal(`${what} cannot be used: ${reasonOf(error)}`);
  }
  try {
    const users = await countUsers(store);
    if (users === 0) throw new StartRefusal(`${what} has no users, so it may be the wrong one`);
    await change?.(store);
    // Not as a list: a large store would fill the memory.
    const records = await store.read(async (kv) => {
      let count = 0;
      for await (const _ of kv.list({ prefix: [] })) count++;
      return count;
    });
    return { users, records, bytes: Deno.statSync(path).size };
  } finally {
    store.close();
  }
}

/**
 * An empty file of this account alone.
 *
 * @throws DomainError `forbidden`
 */
export function makeUnfinished(folder: string, named: string): string {
  try {
    return Deno.makeTempFileSync({ dir: folder, prefix: ".cubby-store-", suffix: ".unfinished" });
  } catch {
    throw new DomainError("forbidden", `Cannot write "${named}": its folder cannot be written`);
  }
}

/** Has the disk keep what was written. */
export function syncFile(path: string): void {
  using file = Deno.openSync(path, { read: true, write: true });
  file.syncSync();
}

async function copyRemote(database: string, target: string): Promise<void> {
  let from: Store;
  try {
    from = await openStore(database, { keepsSchema: true });
  } catch (error) {
    throw openingError(database, error);
  }
  try {
    const records = await settledRecords(from);
    const to = await openStore(target);
    try {
      await writeRecords(to, records);
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
}

/** A hard link never replaces a file; where there are none, nothing else makes sure of it. */
function giveName(unfinished: string, file: string, named: string): void {
  try {
    Deno.linkSync(unfinished, file);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) refuseExisting(named, file);
    refuseExisting(named, file);
    Deno.renameSync(unfinished, file);
  }
}

function refuseExisting(named: string, file: string): void {
  try {
    Deno.lstatSync(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  throw new DomainError("exists", `Cannot write "${named}": it exists already`);
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^Cannot [^:"]*: /, "");
}
