import type { Config } from "../config.ts";
import { databaseFiles, isFileDatabase } from "./places.ts";
import { StartRefusal } from "./refusal.ts";

/** Only the account that serves may read the store: it holds password hashes and the signing key. */
const privateFile = { read: true, write: true, create: true, mode: 0o600 };
const privateFolder = { recursive: true, mode: 0o700 };

/**
 * Makes what the server must find when it opens: the cache folder, and the store's file in a
 * folder that can be written.
 *
 * @throws StartRefusal when that is not possible, or the file is something else than a store
 */
export function prepareData({ cacheDir, database }: Config): void {
  if (isFileDatabase(database)) touch(database);
  try {
    Deno.mkdirSync(cacheDir, privateFolder);
  } catch {
    throw new StartRefusal(`Cannot keep the cache in "${cacheDir}": the folder cannot be made`);
  }
}

/**
 * Brings a store kept in a file into the state in which a confined process can use it. That
 * process may write SQLite's files but not make any in their folder (which could be a broad one,
 * such as `/`), so all of them must be there, and the store must be in WAL mode already: switching
 * to it needs a journal.
 *
 * @throws StartRefusal when the file is something else than a store
 */
export async function prepareStore(database: string): Promise<void> {
  if (!isFileDatabase(database)) return;
  if (!isInWalMode(database)) {
    const { openStore } = await import("../kv/store.ts");
    (await openStore(database)).close();
  }
  const [, log, index] = databaseFiles(database);
  for (const path of [log, index]) if (path) touch(path);
}

/** Looks at the header: https://www.sqlite.org/fileformat2.html, offsets 0, 18 and 19. */
function isInWalMode(path: string): boolean {
  const header = new Uint8Array(20);
  using file = Deno.openSync(path);
  const length = file.readSync(header) ?? 0;
  if (length === 0) return false;
  if (new TextDecoder().decode(header.subarray(0, 16)) !== "SQLite format 3\0") {
    throw new StartRefusal(`Cannot use the database "${path}": it is not a store of this program`);
  }
  return header[18] === 2 && header[19] === 2;
}

function touch(path: string): void {
  try {
    Deno.openSync(path, privateFile).close();
  } catch {
    throw new StartRefusal(
      `Cannot use the database "${path}": the file or its folder cannot be written`,
    );
  }
}
