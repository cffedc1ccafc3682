import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, ROOT } from "../../../shared/path.ts";
import { DiskError, type OpenFolder } from "../disk/disk.ts";
import { mounts } from "../disk/mounts.ts";
import {
  asRealPath,
  isBelow,
  pathBelow,
  realParent,
  type RealPath,
  realPathBelow,
} from "../disk/real_path.ts";
import { disk } from "../disk/this_disk.ts";
import { trashName } from "./names.ts";
import type { SourceHandle } from "./source_handle.ts";
import type { GateSpec } from "./viewer.ts";

/** Only the server's own account may enter the trash. */
const trashMode = 0o700;

/**
 * Where the trash of an entry's disk lies: its topmost folder in the root, below the server root.
 * From there a deletion is one rename, however much the entry holds.
 *
 * @throws {DomainError} `no_trash` for an entry that is or holds a mount point
 */
export function trashTopOf({ real, path }: SourceHandle, { root }: GateSpec): EntryPath {
  if (mounts.isAbovePointNow(real)) {
    throw new DomainError("no_trash", `Cannot delete "${path}": a disk is mounted in it`);
  }
  return topOf(realParent(real), root);
}

/** The same for the entries of a folder. @param folder its own path, below the server root */
export function trashTopOfFolder(folder: EntryPath, { root }: GateSpec): EntryPath {
  return topOf(realPathBelow(folder, root), root);
}

function topOf(folder: RealPath, root: string): EntryPath {
  const top = asRealPath(mounts.pointOf(folder));
  return pathBelow(isBelow(top, root) ? top : asRealPath(root), root);
}

/**
 * Opens the trash of a disk, which the caller closes. Nobody reaches it by a path: its name is
 * hidden from every viewer.
 *
 * @param top as {@linkcode trashTopOf} tells it
 * @param isMade whether it is made where it is missing
 * @throws {DomainError} `no_trash` where it cannot be made, on a disk that may hang, and for what
 * is no folder of ours; `disk_away` while its disk is not mounted
 * @throws {DiskError} `ENOENT` when it is missing and not to be made
 */
export function openTrash({ root }: GateSpec, top: EntryPath, isMade: boolean): OpenFolder {
  const real = realPathBelow(top, root);
  const noTrashError = (reason: string) =>
    new DomainError("no_trash", `Cannot use the trash: ${reason}`);
  if (mounts.concerning(real, "entry").length > 0) {
    throw noTrashError("its disk may be unresponsive");
  }
  using folder = openTop(real, top);
  const there = folder.look(trashName);
  if (!there && isAway(real, top)) throw diskAwayError();
  if (there && !there.isDirectory) throw noTrashError("another entry has its name");
  try {
    if (!there && isMade) folder.makeFolder(trashName, trashMode);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    if (/^(EACCES|EPERM|EROFS)$/.test(error.code)) {
      throw noTrashError("it cannot be made on this disk");
    }
    if (error.code !== "EEXIST") throw error;
  }
  return folder.folder(trashName);
}

/** Opens the topmost folder of a disk, which may have gone with it. */
function openTop(real: RealPath, top: EntryPath): OpenFolder {
  try {
    return disk.folder(real);
  } catch (error) {
    const isMissing = error instanceof DiskError && error.code === "ENOENT";
    throw isMissing && isAway(real, top) ? diskAwayError() : error;
  }
}

/** Whether a disk that has had a trash is not mounted now. The server ends without its root. */
function isAway(real: RealPath, top: EntryPath): boolean {
  return top !== ROOT && !mounts.isPointNow(real);
}

function diskAwayError(): DomainError {
  return new DomainError("disk_away", "Cannot use the trash: its disk is not mounted");
}
