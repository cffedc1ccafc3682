import { join } from "node:path";
import type { Pauses } from "../../../core/concurrency/pauses.ts";
import { removeIfThere, unfinished } from "./preview_cache.ts";

/** Age at which incomplete files of a crash are removed, in milliseconds. */
const leftoverMs = 60 * 60_000;
/** Granularity of last use: previews of the same minute stay or go together. */
const bucketMs = 60_000;
/** Target size after a sweep, as a part of the limit. */
const leftShare = 0.9;

/** A file of the cache. */
interface Kept {
  path: string;
  size: number;
  usedAt: number;
}

/**
 * Shrinks the cache below its limit, least recently used first. Two passes over the files need
 * little memory, however many files there are. Several threads and processes may sweep
 * concurrently.
 *
 * @param maxBytes the limit
 */
export async function sweepCache(
  folder: string,
  maxBytes: number,
  pauses: Pauses,
): Promise<void> {
  const sizes = new Map<number, number>();
  let total = 0;
  for (const kept of filesOf(folder)) {
    if (pauses.isDue) await pauses.pause();
    if (!kept) continue;
    const bucket = bucketOf(kept);
    sizes.set(bucket, (sizes.get(bucket) ?? 0) + kept.size);
    total += kept.size;
  }
  if (total <= maxBytes) return;

  const last = lastToGo(sizes, maxBytes * leftShare);
  for (const kept of filesOf(folder)) {
    if (pauses.isDue) await pauses.pause();
    if (kept && bucketOf(kept) <= last) removeIfThere(kept.path);
  }
}

/** The newest minute whose previews exceed the limit. */
function lastToGo(sizes: Map<number, number>, budget: number): number {
  let sum = 0;
  for (const bucket of [...sizes.keys()].sort((a, b) => b - a)) {
    sum += sizes.get(bucket) ?? 0;
    if (sum > budget) return bucket;
  }
  return -Infinity;
}

function bucketOf({ usedAt }: Kept): number {
  return Math.floor(usedAt / bucketMs);
}

/** Yields the previews, and sometimes null, so that the caller can pause. */
function* filesOf(folder: string): Generator<Kept | null> {
  for (const shard of namesIn(folder)) {
    for (const name of namesIn(join(folder, shard))) yield statPreview(join(folder, shard, name));
    yield null;
  }
}

function statPreview(path: string): Kept | null {
  try {
    const { isFile, size, mtime } = Deno.lstatSync(path);
    const usedAt = mtime?.getTime() ?? 0;
    if (!isFile) return null;
    if (!path.endsWith(unfinished)) return { path, size, usedAt };
    if (Date.now() - usedAt > leftoverMs) removeIfThere(path);
    return null;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}
