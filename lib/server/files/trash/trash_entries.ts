import { type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import { openTrash } from "../../core/access/trash_place.ts";
import type { GateSpec } from "../../core/access/viewer.ts";
import { realPathBelow } from "../../core/disk/real_path.ts";
import { disk } from "../../core/disk/this_disk.ts";
import type { TrashedEntry } from "./trash_records.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { DiskError } from "../../core/disk/disk.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { removeTree } from "../remove_tree.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";

/**
 * Whether an entry lies in the trash as its record says. Unknown where the disk, or the trash on
 * it, is not there to tell.
 */
export function lookInTrash(spec: GateSpec, entry: TrashedEntry): "there" | "gone" | "unknown" {
  try {
    using trash = openTrash(spec, entry.top, false);
    if (trash.look(entry.id) === null) return "gone";
    using folder = trash.folder(entry.id);
    return folder.look(nameOf(entry.path))?.ino === entry.ino ? "there" : "gone";
  } catch {
    return "unknown";
  }
}

/**
 * Whether a file of which a previous version was kept is still the one in its place: it was not
 * replaced after all. Not known of a disk that is not there.
 */
export function isInPlace(spec: GateSpec, entry: TrashedEntry): boolean {
  const { path, ino } = entry;
  if (lookInTrash(spec, entry) !== "there") return false;
  try {
    using folder = disk.folder(realPathBelow(parentOf(path), spec.root));
    return folder.look(nameOf(path))?.ino === ino;
  } catch {
    return false;
  }
}

/**
 * Facts about entries of a disk that are to be removed, where a new file cannot be told from a former
 * one of the same inode: on a disk without birth times. None on others.
 */
export function unbornIn(
  spec: GateSpec,
  top: EntryPath,
  entries: readonly TrashedEntry[],
): { name: string; info: Facts }[] {
  const found: { name: string; info: Facts }[] = [];
  try {
    using trash = openTrash(spec, top, false);
    for (const { id, path, ino } of entries) {
      if (!trash.look(id)) continue;
      using folder = trash.folder(id);
      const name = nameOf(path);
      const info = folder.look(name);
      if (info?.ino !== ino) continue;
      if (info.birthtime !== null) return [];
      found.push({ name, info });
    }
  } catch {
    // Its disk is away, or another request removes them.
  }
  return found;
}

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

/**
 * Removes what is to be removed from the trash of a disk.
 *
 * @param ids of entries that were marked, so that the trash, which may hold very many, is not listed;
 * all that are marked without them
 */
export async function removeMarked(
  spec: GateSpec,
  top: EntryPath,
  pauses: Pauses,
  ids?: readonly string[],
): Promise<void> {
  try {
    using trash = openTrash(spec, top, false);
    const names = ids?.map((id) => removalPrefix + id) ??
      trash.entries().map(({ name }) => name).filter((name) => name.startsWith(removalPrefix));
    for (const name of names) await removeTree(trash, name, pauses);
    await trash.sync();
  } catch (error) {
    if (!(error instanceof DiskError && error.code === "ENOENT")) throw error;
  }
}
