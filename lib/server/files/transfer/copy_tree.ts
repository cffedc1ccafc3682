import { DomainError } from "../../../shared/errors.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import type { Attributes } from "../../core/disk/attributes.ts";
import { DiskError } from "../../core/disk/disk_error.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import { disk } from "../../core/disk/this_disk.ts";
import { copyFiles, type CopyOrder } from "./copy_files.ts";
import { OpenTree } from "./open_tree.ts";
import type { ScannedTree } from "./scan.ts";
import { copyFolderMetadata } from "./copy_metadata.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";

/**
 * Copies a folder with its whole subtree into a staging folder. Until {@link finishFolders} only
 * the server may enter the copied folders.
 *
 * @returns the paths of the copied folders, in the order of the tree
 * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`, `precondition_failed`
 * @throws {DiskError} such as `ENOSPC`
 */
export async function copyTree(
  tree: ScannedTree,
  staging: OpenFolder,
  order: CopyOrder,
  pauses: Pauses,
): Promise<string[]> {
  const places: string[] = [];
  using originals = new OpenTree(tree, (index) => tree[index]?.handle.real ?? "");
  using copies = new OpenTree(tree, (index) => places[index] ?? "");
  for (const [index, folder] of tree.entries()) {
    const { name, parent } = folder;
    places.push(`${places[parent] ?? staging.real}/${name}`);
    const above = parent === -1 ? staging : copies.open(parent);
    if (!(order.since && above.look(name)?.isDirectory)) above.makeFolder(name, 0o700);
    order.meter?.add(1, 0);
    await copyFiles(originals.open(index), copies.open(index), folder, order, pauses);
    if (pauses.isDue) await pauses.pause();
  }
  return places;
}

/**
 * Copies owner (as far as the system allows), permissions and times of the originals to the folders
 * made for a copy. Folders that existed before keep theirs.
 *
 * @param places the current paths of the copied folders
 * @param more permission bits: a folder that is to be renamed has to be writable
 */
export async function finishFolders(
  tree: ScannedTree,
  places: readonly string[],
  pauses: Pauses,
  more = 0,
): Promise<void> {
  for (const [index, place] of [...places.entries()].reverse()) {
    const folder = tree[index];
    if (!folder || folder.into) continue;
    using copy = disk.folder(place);
    copyFolderMetadata(copy, folder.handle.info, attributesOf(folder.handle), more);
    if (pauses.isDue) await pauses.pause();
  }
}

/** None of a folder that is gone, or closed to the server, meanwhile. */
function attributesOf(handle: FolderHandle): Attributes {
  try {
    using original = handle.open();
    return original.attributes();
  } catch (error) {
    if (error instanceof DomainError || error instanceof DiskError) return new Map();
    throw error;
  }
}

/** The paths of a tree's copied folders after its commit. */
export function placesOf(tree: ScannedTree, top: string): string[] {
  const places: string[] = [];
  for (const { name, parent, into } of tree) {
    const above = places[parent];
    places.push(into ?? (above === undefined ? top : `${above}/${name}`));
  }
  return places;
}
