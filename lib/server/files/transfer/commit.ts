import type { OpenFolder } from "../../core/disk/disk.ts";
import { DiskError } from "../../core/disk/disk_error.ts";
import { DomainError } from "../../../shared/errors.ts";
import { renameToFree } from "../upload/free_name.ts";
import { OpenTree } from "./open_tree.ts";
import { NameTaken } from "./request.ts";
import type { ScannedTree } from "./scan.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";

/** An entry in its folder. */
export interface NamedEntry {
  folder: OpenFolder;
  name: string;
}

/** Errors for a taken name, by any kind of entry. */
const takenCodes = /^(EEXIST|ENOTEMPTY|EISDIR|ENOTDIR)$/;

/**
 * Gives a finished copy its name. Replacing a file is atomic; otherwise the name must be free.
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
      : toNameTaken(error, action);
  }
}

/**
 * Merges a finished copy of a folder into an existing folder: new entries are added and existing
 * files replaced, each atomically; existing subfolders are merged. Other entries there stay
 * untouched.
 *
 * @param places the paths of the copied folders
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
      // Subfolders of a new folder move with it.
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

/** The error for a taken name; other errors are returned unchanged. */
export function toNameTaken(error: unknown, action: string): unknown {
  return error instanceof DiskError && takenCodes.test(error.code) ? new NameTaken(action) : error;
}
