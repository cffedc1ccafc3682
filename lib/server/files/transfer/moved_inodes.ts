import type { SourceHandle } from "../../core/access/source_handle.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import { DiskError, type OpenFolder } from "../../core/disk/disk.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { OpenTree, type ScannedTree } from "./scan.ts";

/** What tells the inode of a file or folder from others. Plain data, which a Worker may send. */
export type Inode = Pick<Facts, "ino" | "dev" | "birthtime" | "nlink" | "isFile">;

/** An entry that has moved to another disk: its inode there is another one. */
export interface MovedInode {
  former: Inode;
  now: Inode;
}

/** Most entries of one move that are told: the first ones, folders before what they hold. */
const maxMovedInodes = 50_000;

/** Entries that are told at once. */
const stride = 250;

/** The inode of some facts. */
function inodeOf({ ino, dev, birthtime, nlink, isFile }: Facts): Inode {
  return { ino, dev, birthtime, nlink, isFile };
}

/**
 * The inodes of a file that was moved by copying, while the original is still there.
 *
 * @param folder the open folder that holds the copy
 */
export function movedFile(source: SourceHandle, folder: OpenFolder, name: string): MovedInode[] {
  const now = folder.look(name);
  return source.info.isFile && now?.isFile
    ? [{ former: inodeOf(source.info), now: inodeOf(now) }]
    : [];
}

/**
 * The inodes of a folder that was moved by copying, and of all files and folders below it, in parts,
 * while the originals are still there.
 *
 * @param places where the copied folders are, in the order of the tree
 */
export async function* movedTree(
  tree: ScannedTree,
  places: readonly string[],
  pauses: Pauses,
): AsyncGenerator<MovedInode[]> {
  let [part, count]: [MovedInode[], number] = [[], 0];
  try {
    for (const moved of pairsIn(tree, places)) {
      part.push(moved);
      if (++count >= maxMovedInodes) break;
      if (part.length < stride) continue;
      yield part;
      part = [];
      if (pauses.isDue) await pauses.pause();
    }
  } catch (error) {
    // Another program has moved or removed a part of it meanwhile.
    if (!(error instanceof DiskError)) throw error;
  }
  if (part.length > 0) yield part;
}

/** Folders that were merged into others are left out: those keep their inodes. */
function* pairsIn(tree: ScannedTree, places: readonly string[]): Generator<MovedInode> {
  using originals = new OpenTree(tree, (index) => tree[index]?.handle.real ?? "");
  using copies = new OpenTree(tree, (index) => places[index] ?? "");
  for (const [index, { files, into }] of tree.entries()) {
    const [original, copy] = [originals.open(index), copies.open(index)];
    if (!into) yield { former: inodeOf(original.facts()), now: inodeOf(copy.facts()) };
    for (const { name, copied } of files) {
      const former = copied && original.look(name);
      const now = former && copy.look(name);
      if (former?.isFile && now?.isFile) yield { former: inodeOf(former), now: inodeOf(now) };
    }
  }
}
