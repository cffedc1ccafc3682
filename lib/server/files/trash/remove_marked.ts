import type { EntryPath } from "../../../shared/path.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { openTrash } from "../../core/access/trash_place.ts";
import type { GateSpec } from "../../core/access/viewer.ts";
import { DiskError } from "../../core/disk/disk_error.ts";
import { removeTree } from "../remove_tree.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import type { TrashedEntry } from "./trash_records.ts";

/** Begins the names of entries that are to be removed. */
export const removalPrefix = "gone-";

/**
 * Marks entries of a disk as ones to be removed: from then on nothing leads back.
 *
 * @returns those that are not there
 */
export async function markForRemoval<Entry extends Pick<TrashedEntry, "id">>(
  spec: GateSpec,
  top: EntryPath,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const pauses = new Pauses();
  const missing: Entry[] = [];
  try {
    using trash = openTrash(spec, top, false);
    for (const entry of entries) {
      if (trash.look(entry.id)) trash.rename(entry.id, trash, removalPrefix + entry.id);
      else missing.push(entry);
      if (pauses.isDue) await pauses.pause();
    }
    return missing;
  } catch (error) {
    if (!(error instanceof DiskError && error.code === "ENOENT")) {
      throw asRefusal(error, "Cannot empty the trash");
    }
    return [...entries];
  }
}

/** Removes what is to be removed from the trash of a disk. */
export async function removeMarked(spec: GateSpec, top: EntryPath, pauses: Pauses): Promise<void> {
  try {
    using trash = openTrash(spec, top, false);
    for (const { name } of trash.entries()) {
      if (name.startsWith(removalPrefix)) await removeTree(trash, name, pauses);
    }
    await trash.sync();
  } catch (error) {
    if (!(error instanceof DiskError && error.code === "ENOENT")) throw error;
  }
}
