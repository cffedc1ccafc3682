import type { OpenFolder } from "../disk/disk.ts";
import { DiskError } from "../disk/disk_error.ts";
import { disk } from "../disk/this_disk.ts";
import type { Pauses } from "../concurrency/pauses.ts";

/** Entries removed between two rests. */
const stride = 256;

/** A folder on the way down, and the folders in it that are not empty and have yet to go. */
interface Level {
  real: string;
  folders: string[];
}

/**
 * Removes an entry with all that is below it. It goes by open folders, so no link that is swapped in
 * leads it astray; links are removed themselves. What is gone already counts as removed.
 *
 * @param folder holds the entry
 * @throws {DiskError} such as `EACCES`, or `ENOTEMPTY` when something is put in meanwhile; with some
 * of it gone
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
 * Removes the files and links in a folder, and the folders in it that are empty.
 *
 * @returns the names of the folders that are left
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

/** Removes a folder if it is empty: most folders hold none that is not. */
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
