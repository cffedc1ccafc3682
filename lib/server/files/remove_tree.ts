import type { OpenFolder } from "../core/disk/disk.ts";
import { DiskError } from "../core/disk/disk_error.ts";
import { disk } from "../core/disk/this_disk.ts";
import type { Pauses } from "../core/concurrency/pauses.ts";

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
