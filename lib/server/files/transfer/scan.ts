import type { Growth } from "../../core/access/allowance.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import type { Child } from "../../core/access/folder_visibility.ts";
import { realName, type RealPath } from "../../core/disk/real_path.ts";
import { DiskError, type OpenFolder } from "../../core/disk/disk.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import { disk } from "../../core/disk/this_disk.ts";

/** Identity and state of a copied file, to recognize it before it is deleted. */
export type CopiedState = Pick<Facts, "ino" | "dev" | "size"> & {
  /** Milliseconds since 1970. */
  modified: number;
};

/** A file to copy or move. */
export interface ScannedFile {
  name: string;
  /** The destination has a file of this name. */
  replaces: boolean;
  /** Null until copied, and for a file that was gone by then. */
  copied: CopiedState | null;
}

/** A link to copy or move. */
export interface ScannedLink {
  name: string;
  text: string;
  /** The destination has a link with the same text: it stays. */
  isThere: boolean;
}

/** A folder whose whole subtree is visible, with its entries. */
export interface ScannedFolder {
  name: string;
  handle: FolderHandle;
  /** The index of its parent; -1 for the first. */
  parent: number;
  files: ScannedFile[];
  links: ScannedLink[];
  /** The names of pipes, sockets and devices, which are neither copied nor replace anything. */
  others: string[];
  /** The existing folder at the destination to merge into; null when a new one is made. */
  into: RealPath | null;
}

/** A folder with all its subfolders, in pre-order: each follows its parent. */
export type ScannedTree = ScannedFolder[];

/** Entries examined between two pauses. */
const stride = 512;

/**
 * Scans a folder's whole subtree before any change.
 *
 * @param isOpened whether each entry will be opened, not only renamed with its folder: then pipes,
 * sockets and devices are left out
 * @throws {DomainError} `forbidden` for an entry hidden from the viewer, at any depth
 */
export async function scan(
  top: FolderHandle,
  isOpened: boolean,
  action: string,
  pauses: Pauses,
): Promise<ScannedTree> {
  const tree: ScannedTree = [];
  using folders = new OpenTree(tree, (index) => tree[index]?.handle.real ?? "");
  const waiting = [{ handle: top, parent: -1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { handle, parent } = next;
    const scanned: ScannedFolder = {
      ...{ name: realName(handle.real), handle, parent },
      ...{ files: [], links: [], others: [], into: null },
    };
    const index = tree.push(scanned) - 1;
    const children = childrenOf(handle, () => folders.open(index), parent === -1, action);
    if (!children) {
      // The next folder gets its place.
      folders[Symbol.dispose]();
      tree.pop();
      continue;
    }
    if (pauses.isDue) await pauses.pause();
    for (const [count, child] of children.entries()) {
      if (count % stride === stride - 1 && pauses.isDue) await pauses.pause();
      const { name, kind } = child;
      if (kind === "folder") {
        const below = handle.enter(child, folders.open(index));
        if (below) waiting.push({ handle: below, parent: index });
      } else if (kind === "link") {
        const text = isOpened ? readLink(folders.open(index), name, action) : "";
        scanned.links.push({ name, text, isThere: false });
      } else if (kind === "other" && isOpened) scanned.others.push(name);
      else scanned.files.push({ name, replaces: false, copied: null });
    }
  }
  return tree;
}

/** The number of files in a tree. */
export function countFiles(tree: ScannedTree): number {
  return tree.reduce((sum, { files }) => sum + files.length, 0);
}

/** The paths of what is left out of a tree, below its top. */
export function leftOutOf(tree: ScannedTree): string[] {
  const top = tree[0]?.handle.real ?? "";
  return tree.flatMap(({ handle, others }) =>
    others.map((name) => `${handle.real}/${name}`.slice(top.length + 1))
  );
}

/** How much a tree holds now. */
export async function measureTree(tree: ScannedTree, pauses: Pauses): Promise<Growth> {
  const total: Growth = { bytes: 0, files: 0 };
  using folders = new OpenTree(tree, (index) => tree[index]?.handle.real ?? "");
  for (const [index, { files, links }] of tree.entries()) {
    total.files += 1 + files.length + links.length;
    for (const { name } of files) {
      total.bytes += folders.open(index).look(name)?.size ?? 0;
      if (pauses.isDue) await pauses.pause();
    }
  }
  return total;
}

/** Null when another request has removed or moved the folder. */
function childrenOf(
  handle: FolderHandle,
  open: () => OpenFolder,
  isTop: boolean,
  action: string,
): Child[] | null {
  try {
    const { children, denied } = handle.readWhole(open());
    if (denied === 0) return children;
  } catch (error) {
    if (!isTop && handle.isGone) return null;
    throw error;
  }
  throw new DomainError("forbidden", `${action}: access to an entry below it is denied`);
}

function readLink(folder: OpenFolder, name: string, action: string): string {
  try {
    return folder.readLink(name);
  } catch (error) {
    if (!(error instanceof DiskError && /^(EINVAL|ENOENT)$/.test(error.code))) throw error;
    throw new DomainError("not_found", `${action}: "${name}" in it was replaced during the copy`);
  }
}

/** Maximum number of open folders. */
const maxOpen = 4;

/**
 * Opens folders in the order of a tree, each relative to its parent while that is open: by path, a
 * folder at depth 1,000 would cost a walk through all of them. Few are kept open, however deep the
 * tree is.
 */
export class OpenTree implements Disposable {
  readonly #stack: { index: number; folder: OpenFolder }[] = [];

  /** @param placeOf the real path of a folder of the tree */
  constructor(readonly tree: ScannedTree, readonly placeOf: (index: number) => string) {}

  /**
   * Opens a folder of the tree. It is closed when one of another branch is opened.
   *
   * @throws {DiskError} such as `ENOENT`, `ELOOP`
   */
  open(index: number): OpenFolder {
    const { name = "", parent = -1 } = this.tree[index] ?? {};
    for (let last = this.#stack.at(-1); last; last = this.#stack.at(-1)) {
      if (last.index === index) return last.folder;
      if (last.index === parent) break;
      this.#stack.pop()?.folder[Symbol.dispose]();
    }
    const above = this.#stack.at(-1)?.folder;
    const folder = above?.folder(name) ?? disk.folder(this.placeOf(index));
    this.#stack.push({ index, folder });
    if (this.#stack.length > maxOpen) this.#stack.shift()?.folder[Symbol.dispose]();
    return folder;
  }

  [Symbol.dispose](): void {
    for (const { folder } of this.#stack.splice(0)) folder[Symbol.dispose]();
  }
}
