import { DatabaseSync } from "node:sqlite";
import { isFileDatabase } from "../core/config/places.ts";
import { StartRefusal } from "../core/config/refusal.ts";

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
