import type { Config } from "../core/config/config.ts";
import { databaseFiles, isFileDatabase, oddKind } from "../core/config/places.ts";
import { openingError } from "./check_store.ts";
import { isBolt } from "../features/filebrowser/bolt.ts";
import { StartRefusal } from "../core/config/refusal.ts";
import { type DataPlaces, markStore, refuseEmptied } from "./emptied_store.ts";

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
 * Prepares a store in a file for a confined process. That process may write SQLite's files but not
 * create any in their folder (which could be a broad one, such as `/`), so all of them must exist,
 * and the store must be in WAL mode already: switching to it needs a journal.
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
  const [, log, index] = databaseFiles(database);
  for (const path of [log, index]) if (path) touch(path);
  markStore(config);
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
