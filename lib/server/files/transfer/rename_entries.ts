import { isSameEntry } from "../../disk/facts.ts";
import { DiskError } from "../../disk/disk_error.ts";
import { renameToFree } from "../upload/free_name.ts";
import { isOtherDisk, type NamedEntry, toNameTaken } from "./commit.ts";
import type { Conflict } from "./conflict.ts";
import { OpenTree } from "./open_tree.ts";
import { originalsLeftError, removeEmptyFolder, removeLink } from "./remove_originals.ts";
import type { ScannedTree } from "./scan.ts";
import type { Pauses } from "../../concurrency/pauses.ts";

/**
 * Moves an entry within a disk, with its whole subtree, atomically. A free name is taken
 * exclusively: an entry that appears concurrently is not replaced.
 *
 * @returns false when the destination is on another disk: nothing was done
 * @throws {DomainError} `exists`
 * @throws {DiskError}
 */
export function renameEntry(
  from: NamedEntry,
  to: NamedEntry,
  conflict: Exclude<Conflict, "merge">,
  action: string,
): boolean {
  try {
    if (conflict === "caseRename") from.folder.rename(from.name, to.folder, to.name);
    else if (conflict === "replace") replaceFile(from, to);
    else renameToFree(from.folder, from.name, to.folder, to.name);
    return true;
  } catch (error) {
    if (isOtherDisk(error)) return false;
    throw toNameTaken(error, action);
  }
}

/**
 * Merges a folder into an existing one on the same disk, and removes it. Each entry is moved
 * atomically; a folder without a counterpart moves with its whole subtree. Pipes, sockets and
 * devices whose names are taken stay, with the folders above them.
 *
 * @returns false when a part of it lies on another disk: that part stays
 * @throws {DomainError} `exists`; `precondition_failed` when an entry is added concurrently
 * @throws {DiskError}
 */
export async function renameInto(
  tree: ScannedTree,
  action: string,
  pauses: Pauses,
): Promise<boolean> {
  using sources = new OpenTree(tree, (index) => tree[index]?.handle.real ?? "");
  using targets = new OpenTree(tree, (index) => tree[index]?.into ?? "");
  const take = (index: number, name: string, conflict: "free" | "replace") =>
    renameIfThere(
      { folder: sources.open(index), name },
      { folder: targets.open(index), name },
      conflict,
      action,
    );
  for (const [index, { name, parent, files, links, into }] of tree.entries()) {
    if (!into) {
      // Subfolders of a new folder move with it.
      if (tree[parent]?.into && !take(parent, name, "free")) return false;
      continue;
    }
    for (const { name, replaces } of files) {
      if (!take(index, name, replaces ? "replace" : "free")) return false;
      if (pauses.isDue) await pauses.pause();
    }
    for (const { name, text, isThere } of links) {
      if (isThere) removeLink(sources.open(index), name, text);
      else if (!take(index, name, "free")) return false;
      if (pauses.isDue) await pauses.pause();
    }
  }
  let isGone = true;
  const staying = new Set<number>();
  for (const [index, { into, handle, parent, others }] of [...tree.entries()].reverse()) {
    if (others.length > 0 || staying.has(index)) staying.add(parent);
    else if (into) isGone = removeEmptyFolder(handle.real) && isGone;
    if (pauses.isDue) await pauses.pause();
  }
  if (!isGone) throw originalsLeftError(action);
  return true;
}

/** Same as {@link renameEntry}; an entry that is gone counts as moved. */
function renameIfThere(
  from: NamedEntry,
  to: NamedEntry,
  conflict: "free" | "replace",
  action: string,
): boolean {
  try {
    return renameEntry(from, to, conflict, action);
  } catch (error) {
    if (error instanceof DiskError && error.code === "ENOENT") return true;
    throw error;
  }
}

function replaceFile(from: NamedEntry, to: NamedEntry): void {
  if (!to.folder.look(to.name)?.isFile) {
    return renameToFree(from.folder, from.name, to.folder, to.name);
  }
  const moved = from.folder.look(from.name);
  from.folder.rename(from.name, to.folder, to.name);
  // rename() keeps both of two hard links to one file: remove the source.
  const left = moved?.nlink === 1 ? null : from.folder.look(from.name);
  if (left && moved && isSameEntry(left, moved)) from.folder.removeFile(from.name);
}
