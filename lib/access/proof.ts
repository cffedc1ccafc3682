import type { FolderHandle } from "./folder_handle.ts";
import { lstatIfThere } from "./lstat.ts";
import { realParent, type RealPath } from "./real_path.ts";

/**
 * Proves of folders that were read on a walk that they lie where they seem to: that no component
 * was swapped for a link out meanwhile. Each component is looked at once for all of them, so a
 * proof is for folders that were read before it was begun.
 */
export class Proof {
  readonly #looked = new Map<RealPath, boolean>();

  /**
   * @param top where the walk began
   * @throws {DomainError} `forbidden`, `not_found` when the top itself is another by now
   */
  constructor(top: FolderHandle) {
    top.verify();
    this.#looked.set(top.real, true);
  }

  /** Whether all is as it was, down to a folder at or below the top. */
  holds(folder: RealPath): boolean {
    const known = this.#looked.get(folder);
    if (known !== undefined) return known;
    const parent = realParent(folder);
    const holds = parent !== folder && this.holds(parent) && isRealFolder(folder);
    this.#looked.set(folder, holds);
    return holds;
  }
}

function isRealFolder(path: RealPath): boolean {
  try {
    return lstatIfThere(path)?.isDirectory ?? false;
  } catch {
    return false;
  }
}
