import { statfs } from "node:fs/promises";
import { schemaVersion } from "./server_records.ts";
import type { Store } from "./store.ts";

/** Timeout of the check, in milliseconds. */
const timeoutMs = 2_000;

/** Free space of the store's disk below which a write is tried, in bytes. */
const scarceBytes = 1024 * 1024;

/**
 * Whether the store can be read and written, within a timeout. A write is tried only where one has
 * failed, or the disk is nearly full: a probe comes every few seconds for ever, and must not keep an
 * idle disk awake.
 *
 * @param location as of `openStore()`
 */
export async function isUsable(
  store: Pick<Store, "get" | "atomic" | "isFailing">,
  location: string,
  limitMs = timeoutMs,
): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), limitMs);
  try {
    return await Promise.race([check(store, location), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function check(
  store: Pick<Store, "get" | "atomic" | "isFailing">,
  location: string,
): Promise<boolean> {
  try {
    const schema = await schemaVersion.entry(store);
    if (store.isFailing || await isScarce(location)) {
      await store.atomic((operation) => operation.check(schema).set(schema.key, schema.value));
    }
    return true;
  } catch {
    return false;
  }
}

/** Whether the disk of a store that is a file is nearly full. */
async function isScarce(location: string): Promise<boolean> {
  if (!location.startsWith("/")) return false;
  const { bavail, bsize } = await statfs(location);
  return bavail * bsize < scarceBytes;
}
