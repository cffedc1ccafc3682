import type { EntryHandle } from "../../access/entry_handle.ts";

/**
 * Folders take more bytes the more they hold: 600 names of usual length are some 24 KiB on ext4,
 * 36 KiB on btrfs, 12 KiB on tmpfs.
 */
const largeBytes = 24 * 1024;

/** From so many entries on, listing on the serving thread would be felt by others. */
const largeCount = 600;

/** How many large folders are remembered. */
const capacity = 10_000;

const known = new Set<string>();

/**
 * Whether a folder is better listed by the walker. Judged by its own size, and, for file systems
 * that do not tell it, by what was found there the last time.
 */
export function isLarge(folder: EntryHandle): boolean {
  return folder.info.size > largeBytes || known.has(folder.real);
}

/** How many bytes of JSON an entry becomes, and how many a folder takes for it at the least. */
const jsonBytes = 250;
const folderBytes = 32;

/**
 * How many bytes of JSON the listing of a large folder may become.
 *
 * @param limit of the number of entries
 */
export function listingEstimate(folder: EntryHandle, limit = Infinity): number {
  const count = Math.max(largeCount, folder.info.size / folderBytes);
  return Math.min(count, limit) * jsonBytes;
}

/** Remembers how many entries a folder turned out to have. */
export function noteSize(folder: EntryHandle, count: number): void {
  known.delete(folder.real);
  if (count <= largeCount) return;
  if (known.size >= capacity) known.clear();
  known.add(folder.real);
}
