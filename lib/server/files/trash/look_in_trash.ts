import { nameOf, parentOf } from "../../../shared/path.ts";
import { openTrash } from "../../core/access/trash_place.ts";
import type { GateSpec } from "../../core/access/viewer.ts";
import { realPathBelow } from "../../core/disk/real_path.ts";
import { disk } from "../../core/disk/this_disk.ts";
import type { TrashedEntry } from "./trash_records.ts";

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
 * Whether a file of which a former version was kept is still the one in its place: it was not
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
