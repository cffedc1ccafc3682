import type { FolderHandle } from "./folder_handle.ts";
import { type Child, childOfEntry, entriesOf, isUnnameable, sightOf } from "./folder_sight.ts";
import type { FolderPlace } from "./folder_sight.ts";
import type { Bounds, Locator } from "./locator.ts";
import { isTemporaryName } from "./names.ts";
import { childOf, type EntryPath } from "./path.ts";
import { Proof } from "./proof.ts";
import { realChild, type RealPath } from "./real_path.ts";
import type { Spelling } from "./spelling.ts";

/** What was found in a folder. */
export interface Picked {
  /** Entries with a wanted name. Nothing of them may be told before a {@link Proof} holds. */
  hits: Child[];
  /** The folders to go on with, whatever their names. */
  branches: Branch[];
}

/**
 * A folder that a walk comes through which looks for little in much: it costs one reading, and is
 * proved to be inside only when it has something to tell.
 */
export class Branch implements FolderPlace {
  readonly locator: Locator;
  readonly bounds: Bounds;

  private constructor(
    readonly top: FolderHandle,
    readonly path: EntryPath,
    readonly real: RealPath,
    readonly spelling: Spelling,
  ) {
    this.locator = top.locator;
    this.bounds = top.bounds;
  }

  /** The folder at which a walk begins. */
  static of(top: FolderHandle): Branch {
    const { locator, path, real, bounds } = top;
    return new Branch(top, path, real, locator.spelling(real, bounds));
  }

  /**
   * Reads the folder. What the viewer may not know of is left out; links count as what they lead
   * to, but are not walked into.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  pick(isWanted: (name: string) => boolean): Picked {
    const entries = entriesOf(this);
    const { sees, anyCase } = sightOf(this, this.spelling, entries);
    const picked: Picked = { hits: [], branches: [] };
    let isProved = false;
    for (const entry of entries) {
      const { name, isDirectory, isSymlink } = entry;
      const isHit = isWanted(name);
      if (!isHit && !isDirectory) continue;
      if (isTemporaryName(name) || !sees(name) || isUnnameable(this.real, name)) continue;
      if (isDirectory) picked.branches.push(this.#child(name, anyCase));
      if (!isHit) continue;
      // Where a link leads must not be asked out there.
      isProved ||= isSymlink && new Proof(this.top).holds(this.real);
      const child = isSymlink && !isProved ? null : childOfEntry(this, entry);
      if (child) picked.hits.push(child);
    }
    return picked;
  }

  #child(name: string, anyCase: boolean): Branch {
    const real = realChild(this.real, name);
    const spelling = { real: realChild(this.spelling.real, name), anyCase };
    return new Branch(this.top, childOf(this.path, name), real, spelling);
  }
}
