import type { OpenFolder } from "../../disk/disk.ts";
import { disk } from "../../disk/this_disk.ts";
import { copyFiles, type CopyOrder } from "./copy_files.ts";
import { OpenTree } from "./open_tree.ts";
import type { ScannedTree } from "./scan.ts";
import { giveFolderTraits } from "./traits.ts";
import type { Pauses } from "../../concurrency/pauses.ts";

/**
 * Makes the copy of a folder with all that is below it in a staging folder. Until
 * {@link finishFolders} only the server may enter the copied folders.
 *
 * @returns where the copies of the folders are, in the order of the tree
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
    above.makeFolder(name, 0o700);
    await copyFiles(originals.open(index), copies.open(index), folder, order, pauses);
    if (pauses.isDue) await pauses.pause();
  }
  return places;
}

/**
 * Gives the folders that were made for a copy the owner as far as the system allows, permissions and
 * times of the originals. Folders that were there before keep theirs.
 *
 * @param places where the copies of the folders are now
 */
export async function finishFolders(
  tree: ScannedTree,
  places: readonly string[],
  pauses: Pauses,
): Promise<void> {
  for (const [index, place] of [...places.entries()].reverse()) {
    const folder = tree[index];
    if (!folder || folder.into) continue;
    using copy = disk.folder(place);
    giveFolderTraits(copy, folder.handle.info);
    if (pauses.isDue) await pauses.pause();
  }
}

/** Where the copies of the folders of a tree are once it has its name. */
export function placesOf(tree: ScannedTree, top: string): string[] {
  const places: string[] = [];
  for (const { name, parent, into } of tree) {
    const above = places[parent];
    places.push(into ?? (above === undefined ? top : `${above}/${name}`));
  }
  return places;
}
