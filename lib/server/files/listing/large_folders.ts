import type { EntryHandle } from "../../core/access/entry_handle.ts";
import { LruCache } from "../../../shared/lru_cache.ts";

/**
 * A folder's own size grows with its entries: 600 names of usual length take about 24 KiB on ext4,
 * 36 KiB on btrfs, 12 KiB on tmpfs.
 */
const largeBytes = 24 * 1024;

/** From this number of entries on, listing in the serving thread would delay other requests. */
const largeCount = 600;

/** Maximum number of remembered folders. */
const capacity = 10_000;

/** Numbers of their entries, by real path. */
const known = new LruCache<string, number>(capacity);

/**
 * Whether the listing Worker should list a folder. Judged by the folder's own size, and by the last
 * listing on file systems without such a size.
 */
export function isLarge(folder: EntryHandle): boolean {
  return folder.info.size > largeBytes || known.get(folder.real) !== undefined;
}

/** Estimated bytes of JSON for an entry, and at least for a folder. */
const jsonBytes = 250;
const folderBytes = 32;

/**
 * Estimates the JSON of a large folder's listing, in bytes.
 *
 * @param limit of the number of entries
 */
export function listingEstimate(folder: EntryHandle, limit = Infinity): number {
  const count = Math.max(largeCount, folder.info.size / folderBytes);
  return Math.min(count, limit) * jsonBytes;
}

/** Records the number of entries found in a folder. */
export function recordSize(folder: EntryHandle, count: number): void {
  if (count > largeCount) known.set(folder.real, count);
  else known.delete(folder.real);
}
