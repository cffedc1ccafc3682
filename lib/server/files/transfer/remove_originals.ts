import type { OpenFolder } from "../../core/disk/disk.ts";
import { DiskError } from "../../core/disk/disk_error.ts";
import { disk } from "../../core/disk/this_disk.ts";
import { realName, realParent, type RealPath } from "../../core/disk/real_path.ts";
import { DomainError } from "../../../shared/errors.ts";
import { isAsCopied } from "./copy_files.ts";
import type { ScannedFile, ScannedFolder, ScannedTree } from "./scan.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";

/**
 * Deletes the originals of a move by copy, and nothing else: a file changed or added since stays,
 * with the folders above it. Those of a pipe, socket or device stay, too.
 *
 * @throws {DomainError} `precondition_failed` when any entry stays, after the rest is removed
 * @throws {DiskError}
 */
export async function removeOriginals(
  tree: ScannedTree,
  action: string,
  pauses: Pauses,
): Promise<void> {
  let isGone = true;
  const staying = new Set<number>();
  for (const [index, folder] of [...tree.entries()].reverse()) {
    const isEmpty = await removeEntries(folder, pauses);
    const stays = folder.others.length > 0 || staying.has(index);
    if (stays) staying.add(folder.parent);
    isGone = isEmpty && (stays || removeEmptyFolder(folder.handle.real)) && isGone;
  }
  if (!isGone) throw originalsLeftError(action);
}

/** Removes a file if unchanged since it was copied. @returns whether it is gone */
export function removeFile(folder: OpenFolder, { name, copied }: ScannedFile): boolean {
  const facts = folder.look(name);
  if (!facts) return true;
  if (!copied || !isAsCopied(facts, copied)) return false;
  folder.removeFile(name);
  return true;
}

/** Removes a link if its text is unchanged. @returns whether it is gone */
export function removeLink(folder: OpenFolder, name: string, text: string): boolean {
  const facts = folder.look(name);
  if (!facts) return true;
  if (!facts.isSymlink || folder.readLink(name) !== text) return false;
  folder.removeFile(name);
  return true;
}

/** Removes a folder if it is empty. @returns whether it is gone */
export function removeEmptyFolder(real: RealPath): boolean {
  try {
    using above = disk.folder(realParent(real));
    above.removeFolder(realName(real));
    return true;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    if (error.code === "ENOENT") return true;
    if (error.code === "ENOTEMPTY" || error.code === "EEXIST") return false;
    throw error;
  }
}

/** The error when some of the originals are left. */
export function originalsLeftError(action: string): DomainError {
  const text = `${action}: something in it changed during the move and stays where it was`;
  return new DomainError("precondition_failed", text);
}

/** Whether all of them are gone. */
async function removeEntries(
  { handle, files, links }: ScannedFolder,
  pauses: Pauses,
): Promise<boolean> {
  using folder = handle.open();
  let isGone = true;
  for (const file of files) {
    isGone = removeFile(folder, file) && isGone;
    if (pauses.isDue) await pauses.pause();
  }
  for (const { name, text } of links) {
    isGone = removeLink(folder, name, text) && isGone;
    if (pauses.isDue) await pauses.pause();
  }
  return isGone;
}
