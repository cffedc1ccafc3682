import type { Settings } from "../../../shared/schemas/settings.ts";
import { openTrash } from "../../core/access/trash_place.ts";
import type { GateSpec } from "../../core/access/viewer.ts";
import type { Trash } from "./trash.ts";
import type { TrashedEntry } from "./trash_records.ts";
import { dayMs } from "../../../shared/time.ts";

/** How many of the oldest entries go at once while a disk is too full. */
const batchSize = 20;

/** When an entry is deleted for good, in milliseconds since 1970. */
export function expiryOf({ at }: Pick<TrashedEntry, "at">, { days }: Settings["trash"]): number {
  return at + days * dayMs;
}

/**
 * Deletes what has been in the trash for too long, and the oldest of it on disks that are too full.
 *
 * @returns how many entries
 */
export async function expireTrash(
  trash: Trash,
  spec: GateSpec,
  settings: Settings["trash"],
  now = Date.now(),
): Promise<number> {
  let removed = 0;
  for await (const part of trash.records.parts()) {
    const over = part.filter((entry) => expiryOf(entry, settings) <= now);
    // Entries of a disk that is away stay recorded until it is back.
    removed += (await trash.removeWherePossible(over)).removed.length;
  }
  for (const top of await trash.records.tops()) {
    if (await freeOf(spec, top) >= settings.leastFree) continue;
    const entries = await oldestOf(trash, top);
    while (entries.length > 0 && await freeOf(spec, top) < settings.leastFree) {
      const oldest = entries.splice(0, batchSize);
      removed += (await trash.removeWherePossible(oldest)).removed.length;
    }
  }
  return removed;
}

/** The entries in the trash of a disk, the oldest first. */
async function oldestOf({ records }: Trash, top: TrashedEntry["top"]): Promise<TrashedEntry[]> {
  const entries: TrashedEntry[] = [];
  for await (const part of records.parts()) {
    entries.push(...part.filter((entry) => entry.top === top));
  }
  return entries.sort((a, b) => a.at - b.at);
}

/** The free space of a disk, in percent; all of it where that is not known. */
async function freeOf(spec: GateSpec, top: TrashedEntry["top"]): Promise<number> {
  try {
    using folder = openTrash(spec, top, false);
    const { total, used } = await folder.usage();
    return total === 0 ? 100 : 100 * (total - used) / total;
  } catch {
    return 100;
  }
}
