import { DatabaseSync } from "node:sqlite";
import { delay } from "../../../shared/delay.ts";
import type { Store } from "./store.ts";
import { storeFault } from "./store_fault.ts";

/** How long a copy waits for others that lock the file, in milliseconds. */
const timeoutMs = 10_000;

/** How long the records of a remote store may keep changing before a copy is given up. */
const restlessMs = 60_000;

/** Records of one atomic write: a value has up to 64 KiB, and a write up to 800 KiB. */
const batch = 10;

/** Deletions of one atomic write: Deno KV takes up to a thousand changes. */
const deletions = 500;

/** SQLite's code for a file that another connection uses (https://www.sqlite.org/rescode.html). */
const busyCode = 5;

/**
 * Copies a store in a file as it is at one moment, while others read and write it.
 *
 * @param target an empty file
 * @throws DomainError `disk_full`, `disk_error`
 */
export function copyFile(database: string, target: string): void {
  try {
    const file = new DatabaseSync(database, { readOnly: true, timeout: timeoutMs });
    try {
      file.prepare("VACUUM INTO ?").run(target);
    } finally {
      file.close();
    }
  } catch (error) {
    throw storeFault(error) ?? error;
  }
}

/** Whether a file is a whole SQLite database: every page and index of it is looked at. */
export function isWhole(path: string): boolean {
  try {
    const file = new DatabaseSync(path, { readOnly: true });
    try {
      return file.prepare("PRAGMA integrity_check(1)").get()?.integrity_check === "ok";
    } finally {
      file.close();
    }
  } catch {
    return false;
  }
}

/**
 * Whether a process has the store in a file open. Where none has, the log is written back into the
 * file and removed, so that the file alone is the store.
 */
export function isInUse(database: string): boolean {
  try {
    const file = new DatabaseSync(database, { timeout: 0 });
    try {
      // Leaving the mode in which all connections share the log takes being the only one.
      file.exec("PRAGMA locking_mode=EXCLUSIVE");
      file.prepare("PRAGMA journal_mode=DELETE").get();
      return false;
    } finally {
      file.close();
    }
  } catch (error) {
    // A damaged file must not be used.
    return error instanceof Error && "errcode" in error &&
      (Number(error.errcode) & 0xff) === busyCode;
  }
}

/**
 * All records of a store as they are at one moment: two readings in a row found every record in the
 * same version, so all were so between the two.
 *
 * @throws Error when they change all the time
 */
export async function settledRecords(store: Store): Promise<Deno.KvEntry<unknown>[]> {
  const deadline = performance.now() + restlessMs;
  let former = await store.list<unknown>([]);
  for (;;) {
    const records = await store.list<unknown>([]);
    if (records.length === former.length && records.every(isSame)) return records;
    if (performance.now() > deadline) {
      throw new Error("Cannot copy the store: its records keep changing");
    }
    former = records;
    await delay(Math.random() * 100);
  }

  function isSame({ key, versionstamp }: Deno.KvEntry<unknown>, index: number): boolean {
    const other = former[index];
    return other?.versionstamp === versionstamp &&
      JSON.stringify(other.key, plain) === JSON.stringify(key, plain);
  }
}

/** Writes records into a store. */
export async function writeRecords(
  store: Store,
  records: readonly Pick<Deno.KvEntry<unknown>, "key" | "value">[],
): Promise<void> {
  for (let start = 0; start < records.length; start += batch) {
    const part = records.slice(start, start + batch);
    await store.atomic((operation) =>
      part.reduce((all, { key, value }) => all.set(key, value), operation)
    );
  }
}

/** Removes all records below a prefix. */
export async function removeRecords(store: Store, prefix: Deno.KvKey): Promise<void> {
  const records = await store.list(prefix);
  for (let start = 0; start < records.length; start += deletions) {
    const part = records.slice(start, start + deletions);
    await store.atomic((operation) => part.reduce((all, { key }) => all.delete(key), operation));
  }
}

/** Parts of keys that JSON cannot tell apart otherwise. */
function plain(_name: string, part: unknown): unknown {
  if (typeof part === "bigint") return `${part}n`;
  return part instanceof Uint8Array ? [...part] : part;
}
