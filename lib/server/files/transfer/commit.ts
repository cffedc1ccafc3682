import type { OpenFolder } from "../../disk/disk.ts";
import { DiskError } from "../../disk/disk_error.ts";
import { DomainError } from "../../../shared/errors.ts";
import { renameToFree } from "../upload/free_name.ts";
import { OpenTree } from "./open_tree.ts";
import { NameTaken } from "./request.ts";
import type { ScannedTree } from "./scan.ts";
import type { Pauses } from "../../concurrency/pauses.ts";

/** An entry in its folder. */
export interface NamedEntry {
  folder: OpenFolder;
  name: string;
}

/** What systems say of a name that is taken, by whatever kind of entry. */
const saysTaken = /^(EEXIST|ENOTEMPTY|EISDIR|ENOTDIR)$/;

/**
 * Gives a finished copy its name. A file that may be replaced is replaced in one step; otherwise the
 * name must be free.
 *
 * @throws {DomainError} `exists`, `not_supported`
 * @throws {DiskError}
 */
export function commit(
  { folder: from, name }: NamedEntry,
  { folder: to, name: toName }: NamedEntry,
  mayReplace: boolean,
  action: string,
): void {
  try {
    if (mayReplace && to.look(toName)?.isFile) from.rename(name, to, toName);
    else renameToFree(from, name, to, toName);
  } catch (error) {
    throw isOtherDisk(error)
      ? new DomainError("not_supported", `${action}: another disk begins below the destination`)
      : asNameTaken(error, action);
  }
}

/**
 * Moves all that is in the finished copy of a folder into the folder that it meets at the
 * destination: new entries come in one step each, files that are there are replaced in one step
 * each, and folders that are there take in the entries of theirs. Nothing else there is touched.
 *
 * @param places where the copies of the folders are
 * @throws {DomainError} `exists`, `not_supported`
 * @throws {DiskError}
 */
export async function commitInto(
  tree: ScannedTree,
  places: readonly string[],
  action: string,
  pauses: Pauses,
): Promise<void> {
  using copies = new OpenTree(tree, (index) => places[index] ?? "");
  using targets = new OpenTree(tree, (index) => tree[index]?.into ?? "");
  const take = (index: number, name: string, mayReplace: boolean) =>
    commit(
      { folder: copies.open(index), name },
      { folder: targets.open(index), name },
      mayReplace,
      action,
    );
  for (const [index, { name, parent, files, links, into }] of tree.entries()) {
    if (!into) {
      // Folders in a folder that is new come with it.
      if (tree[parent]?.into) take(parent, name, false);
      continue;
    }
    for (const { name, replaces, copied } of files) {
      if (copied) take(index, name, replaces);
      if (pauses.isDue) await pauses.pause();
    }
    for (const { name, isThere } of links) {
      if (!isThere) take(index, name, false);
      if (pauses.isDue) await pauses.pause();
    }
  }
}

/** Whether an error says that two names are on different disks. */
export function isOtherDisk(error: unknown): boolean {
  return error instanceof DiskError && error.code === "EXDEV";
}

/** The refusal of a name that is taken; other errors as they are. */
export function asNameTaken(error: unknown, action: string): unknown {
  return error instanceof DiskError && saysTaken.test(error.code) ? new NameTaken(action) : error;
}
