import { createHash } from "node:crypto";
import { basename, dirname, extname, join } from "node:path";
import { trashName } from "../core/access/names.ts";
import type { Config } from "../core/config/config.ts";
import { databaseFiles, isFileDatabase } from "../core/config/places.ts";
import { StartRefusal } from "../core/config/refusal.ts";

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
export function markStore({ database, cacheDir }: Pick<Config, "database" | "cacheDir">): void {
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

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
