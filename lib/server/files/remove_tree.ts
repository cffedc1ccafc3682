import { DiskError, type OpenFolder, tryTo } from "../core/disk/disk.ts";
import { disk } from "../core/disk/this_disk.ts";
import type { Pauses } from "../core/concurrency/pauses.ts";
import type { Access } from "../core/access/access.ts";
import { asRefusal } from "../core/access/os_errors.ts";
import type { EntryPath } from "../../shared/path.ts";
import { collectGarbage } from "../core/concurrency/collect_garbage.ts";
import { DomainError } from "../../shared/errors.ts";
import type { FolderHandle } from "../core/access/folder_handle.ts";

/**
 * Removes a folder with its whole subtree, after all of it was checked. Links are removed, never
 * followed.
 *
 * Can be aborted at any entry; removed entries stay removed. Entries that another request removes
 * concurrently count as removed.
 *
 * @throws {DomainError} `forbidden` with nothing done, `not_found`
 */
export async function removeFolder(access: Access, path: EntryPath, pauses: Pauses): Promise<void> {
  const action = `Cannot delete "${path}"`;
  const removal = access.remove(path);
  collectGarbage(await checkBelow(removal.folder(), action, pauses));
  using parent = removal.openParent();
  try {
    const companion = removal.companionIn(parent);
    await removeTree(parent, removal.name, pauses);
    if (companion) tryTo(() => parent.removeFile(companion));
    await parent.sync();
  } catch (error) {
    throw asRefusal(error, action);
  }
}

/** Entries removed between two pauses. */
const stride = 256;

/** A folder on the way down, and its non-empty subfolders still to remove. */
interface Level {
  real: string;
  folders: string[];
}

/**
 * Removes an entry with its whole subtree. Works on open folder descriptors, so a symlink swapped
 * in (race) can't redirect it; links themselves are removed. Entries already gone count as removed.
 *
 * @param folder holds the entry
 * @throws {DiskError} such as `EACCES`, or `ENOTEMPTY` when an entry is added concurrently; a part
 * is then already removed
 */
export async function removeTree(folder: OpenFolder, name: string, pauses: Pauses): Promise<void> {
  if (!folder.look(name)?.isDirectory) return removeIfThere(() => folder.removeFile(name));
  const top = folder.real === "/" ? `/${name}` : `${folder.real}/${name}`;
  const levels: Level[] = [{ real: top, folders: await emptyFolder(top, pauses) }];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const inner = level.folders.pop();
    if (inner !== undefined) {
      const real = `${level.real}/${inner}`;
      levels.push({ real, folders: await emptyFolder(real, pauses) });
      continue;
    }
    levels.pop();
    removeEmpty(level.real, levels.at(-1)?.real ?? folder.real);
    if (pauses.isDue) await pauses.pause();
  }
}

/**
 * Removes the files, links and empty subfolders of a folder.
 *
 * @returns the names of the remaining folders
 */
async function emptyFolder(real: string, pauses: Pauses): Promise<string[]> {
  using folder = openIfThere(real);
  if (!folder) return [];
  const left: string[] = [];
  for (const [index, { name, kind }] of folder.entries().entries()) {
    if (index % stride === stride - 1 && pauses.isDue) await pauses.pause();
    if (kind !== "folder") removeIfThere(() => folder.removeFile(name));
    else if (!isRemoved(folder, name)) left.push(name);
  }
  return left;
}

function removeEmpty(real: string, above: string): void {
  using folder = openIfThere(above);
  removeIfThere(() => folder?.removeFolder(real.slice(real.lastIndexOf("/") + 1)));
}

/** Removes a folder if it is empty, as most have only empty subfolders. */
function isRemoved(folder: OpenFolder, name: string): boolean {
  try {
    removeIfThere(() => folder.removeFolder(name));
    return true;
  } catch (error) {
    if (error instanceof DiskError && /^(ENOTEMPTY|EEXIST)$/.test(error.code)) return false;
    throw error;
  }
}

function openIfThere(real: string): OpenFolder | null {
  try {
    return disk.folder(real);
  } catch (error) {
    if (saysGone(error)) return null;
    throw error;
  }
}

function removeIfThere(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    if (!saysGone(error)) throw error;
  }
}

function saysGone(error: unknown): boolean {
  return error instanceof DiskError && error.code === "ENOENT";
}

/**
 * Checks a folder's whole subtree before it is deleted: one entry hidden from the viewer, at any
 * depth, refuses the deletion. Links to folders are not followed.
 *
 * @param action for the message: `Cannot delete "/a"`
 * @returns the number of entries below
 * @throws {DomainError} `forbidden`
 */
export async function checkBelow(
  top: FolderHandle,
  action: string,
  pauses: Pauses,
): Promise<number> {
  const waiting = [top];
  let count = 0;
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const children = childrenOf(folder, action, folder === top);
    count += children.length;
    if (pauses.isDue) await pauses.pause();
    for (const child of children) {
      const below = child.isFolder && !child.target ? folder.enter(child) : null;
      if (below) waiting.push(below);
    }
  }
  return count;
}

function childrenOf(folder: FolderHandle, action: string, isTop: boolean) {
  try {
    const { children, denied } = folder.read();
    if (denied === 0) return children;
  } catch (error) {
    // Another request has removed or moved it concurrently.
    if (!isTop && folder.isGone) return [];
    throw error;
  }
  throw new DomainError("forbidden", `${action}: access to an entry below it is denied`);
}
