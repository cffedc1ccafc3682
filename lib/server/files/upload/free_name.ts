import type { OpenFolder } from "../../disk/disk.ts";
import { DiskError } from "../../disk/disk_error.ts";

/** Errors of systems without an exclusive rename, or without hard links. */
const unable = new Set(["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EPERM", "EMLINK"]);

/**
 * Moves an entry to a name that must be free, without a race: an entry that appears there
 * concurrently is not replaced. File systems without an exclusive rename use a hard link for files;
 * for folders, or without hard links, an empty entry reserves the name.
 *
 * @throws {DiskError} `EEXIST` when the name is taken, `EXDEV` on another disk
 */
export function renameToFree(from: OpenFolder, name: string, to: OpenFolder, toName: string): void {
  const isFolder = () => from.look(name)?.isDirectory ?? false;
  if (isDone(() => from.renameToFree(name, to, toName))) return;
  if (isFolder()) return renameOverNothing(from, name, to, toName, "folder");
  if (!isDone(() => from.addName(name, to, toName))) {
    return renameOverNothing(from, name, to, toName, "file");
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

function renameOverNothing(
  from: OpenFolder,
  name: string,
  to: OpenFolder,
  toName: string,
  kind: "file" | "folder",
): void {
  if (kind === "folder") to.makeFolder(toName, 0o700);
  else to.file(toName, "create")[Symbol.dispose]();
  try {
    from.rename(name, to, toName);
  } catch (error) {
    removePlaceholder(to, toName, kind);
    throw error;
  }
}

function removePlaceholder(folder: OpenFolder, name: string, kind: "file" | "folder"): void {
  try {
    if (kind === "folder") folder.removeFolder(name);
    else if (folder.look(name)?.size === 0) folder.removeFile(name);
  } catch {
    // An entry was added to it concurrently: keep it.
  }
}
