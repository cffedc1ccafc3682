import { makeTemporaryName } from "../../core/access/names.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import { disk } from "../../core/disk/this_disk.ts";
import { lockUploadFolder } from "../upload/folder_lock.ts";
import { removeTree } from "../remove_tree.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";

/**
 * The hidden folder in which a copy is made before its commit. It can't be listed or reached; after
 * a crash, a sweep at the next start recognizes it by its name.
 */
export class Staging implements AsyncDisposable {
  /** The hidden folder. Only its owner may enter it. */
  readonly folder: OpenFolder;
  readonly #name: string;
  readonly #place: OpenFolder;
  readonly #hold: Disposable;

  /**
   * @param place its parent: a folder on the copy's target disk
   * @param name one that an earlier attempt may have made; a new one unless given
   */
  constructor(place: string, name = makeTemporaryName()) {
    this.#name = name;
    this.#place = disk.folder(place);
    this.#hold = lockUploadFolder(this.#place);
    try {
      if (!this.#place.look(name)?.isDirectory) this.#place.makeFolder(name, 0o700);
      this.folder = this.#place.folder(this.#name);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** Leaves it, to be resumed. */
  leave(): void {
    this.folder[Symbol.dispose]();
    this.#release();
  }

  /** Removes it with everything that was not committed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.folder[Symbol.dispose]();
    try {
      await removeTree(this.#place, this.#name, new Pauses());
    } catch {
      // It was moved, or the disk is gone: a sweep at the next start may find it.
    }
    this.#release();
  }

  #release(): void {
    this.#hold[Symbol.dispose]();
    this.#place[Symbol.dispose]();
  }
}
