import { DiskError, type OpenFolder } from "../../core/disk/disk.ts";

/** Errors of systems without an exclusive rename, or without hard links. */
const unable = new Set(["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EPERM", "EMLINK"]);

/**
 * Moves an entry to a name that must be free, without a race: an entry that appears there
 * concurrently is not replaced. File systems without an exclusive rename use a hard link for files,
 * and an empty file to reserve the name where they have none. A folder never replaces anything but
 * an empty folder, which has nothing to lose: a reservation would be left by a kill.
 *
 * @throws {DiskError} `EEXIST` when the name is taken, `EXDEV` on another disk
 */
export function renameToFree(from: OpenFolder, name: string, to: OpenFolder, toName: string): void {
  const isFolder = () => from.look(name)?.isDirectory ?? false;
  if (isDone(() => from.renameToFree(name, to, toName))) return;
  if (isFolder()) return renameFolder(from, name, to, toName);
  if (!isDone(() => from.addName(name, to, toName))) {
    return renameOverNothing(from, name, to, toName);
  }
  try {
    from.removeFile(name);
  } catch (error) {
    to.removeFile(toName);
    throw error;
  }
}

/** Whether the system supports it. */
function isDone(action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (error instanceof DiskError && unable.has(error.code)) return false;
    throw error;
  }
}

function renameFolder(from: OpenFolder, name: string, to: OpenFolder, toName: string): void {
  if (to.look(toName)) throw new DiskError("EEXIST", "rename");
  try {
    from.rename(name, to, toName);
  } catch (error) {
    const isTaken = error instanceof DiskError && /^(ENOTEMPTY|ENOTDIR)$/.test(error.code);
    throw isTaken ? new DiskError("EEXIST", "rename") : error;
  }
}

function renameOverNothing(from: OpenFolder, name: string, to: OpenFolder, toName: string): void {
  to.file(toName, "create")[Symbol.dispose]();
  try {
    from.rename(name, to, toName);
  } catch (error) {
    removePlaceholder(to, toName);
    throw error;
  }
}

function removePlaceholder(folder: OpenFolder, name: string): void {
  try {
    if (folder.look(name)?.size === 0) folder.removeFile(name);
  } catch {
    // The disk is gone: nothing can be done.
  }
}
