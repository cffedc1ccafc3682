import type { OpenFolder } from "../../core/disk/disk.ts";
import { disk } from "../../core/disk/this_disk.ts";
import type { ScannedTree } from "./scan.ts";

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
