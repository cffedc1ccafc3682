import type { EntryPath } from "../../../shared/path.ts";
import { DiskError } from "../disk/disk.ts";
import { mounts } from "../disk/mounts.ts";
import { isBelow, pathBelow, realParent, type RealPath, realPathBelow } from "../disk/real_path.ts";
import { disk } from "../disk/this_disk.ts";
import type { GateSpec } from "./viewer.ts";

/** The state of a place below the server root, as far as it can be determined now. */
export type PlaceState =
  | { kind: "folder" | "gone"; ino: number | null }
  /** A file, or a link that is the entry itself. */
  | { kind: "file"; ino: number | null }
  /** A folder on the way to it is a link. */
  | { kind: "behind_link" }
  | { kind: "unknown"; reason: string };

/**
 * Looks at a place without following links. An entry counts as gone only where its disk is certain
 * to be there: a mount point whose disk is not mounted is an empty folder.
 *
 * @param tops folders that were mount points once, below the server root
 */
export function stateOfPlace(
  { root }: GateSpec,
  path: EntryPath,
  tops: readonly EntryPath[],
): PlaceState {
  const real = realPathBelow(path, root);
  if (mayHang(real, root)) return { kind: "unknown", reason: "its disk may be unresponsive" };
  try {
    const info = disk.look(real);
    if (info) return { kind: info.isDirectory ? "folder" : "file", ino: info.ino };
    if (tops.some((top) => top !== "/" && isBelow(path, top) && !isMounted(top, root))) {
      return { kind: "unknown", reason: "its disk is not mounted" };
    }
    const above = nearestAbove(real, root);
    if (!isEmptyFolder(above)) return { kind: "gone", ino: null };
    const name = pathBelow(above, root);
    return { kind: "unknown", reason: `"${name}" is empty, so a disk may not be mounted` };
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    if (error.code === "ELOOP") return { kind: "behind_link" };
    return { kind: "unknown", reason: `it cannot be looked at (${error.code})` };
  }
}

/** Whether a real path lies on a disk below the root that may never answer. */
export function mayHang(real: RealPath, root: string): boolean {
  return mounts.concerning(real, "entry").some(({ point }) => !isBelow(root, point));
}

function isMounted(top: EntryPath, root: string): boolean {
  return mounts.isPoint(realPathBelow(top, root));
}

/** The nearest entry on the way to a missing one. */
function nearestAbove(real: RealPath, root: string): RealPath {
  let above = realParent(real);
  while (above !== root && isBelow(above, root) && !disk.look(above)) above = realParent(above);
  return above;
}

function isEmptyFolder(real: RealPath): boolean {
  if (!disk.look(real)?.isDirectory) return false;
  using folder = disk.folder(real);
  return folder.entries().length === 0;
}
