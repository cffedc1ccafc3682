import type { FolderHandle } from "./folder_handle.ts";
import { type Child, childOfEntry, entriesOf, isUnnameable, sightOf } from "./folder_sight.ts";
import type { FolderPlace } from "./folder_sight.ts";
import type { Bounds, Locator } from "./locator.ts";
import { isTemporaryName } from "./names.ts";
import { childOf, type EntryPath, joinPaths, ROOT } from "./path.ts";
import { Proof } from "./proof.ts";
import { asRealPath, type RealPath } from "./real_path.ts";
import type { Spelling } from "./spelling.ts";

/** What was found in a folder. */
export interface Picked {
  /** Entries with a wanted name. Nothing of them may be told before a {@link Proof} holds. */
  hits: Child[];
  /** The folders to go on with, whatever their names. */
  branches: Branch[];
}

/** Where a walk began. */
interface Start {
  top: FolderHandle;
  spelling: Spelling;
}

/**
 * A folder that a walk comes through which looks for little in much: it costs one reading, and is
 * proved to be inside only when it has something to tell. Very many of them may wait for their
 * turn, so each holds no more than the way down to it.
 */
export class Branch implements FolderPlace {
  readonly #start: Start;
  readonly #below: EntryPath;
  readonly #anyCase: boolean;

  private constructor(start: Start, below: EntryPath, anyCase: boolean) {
    this.#start = start;
    this.#below = below;
    this.#anyCase = anyCase;
  }

  /** The folder at which a walk begins. */
  static of(top: FolderHandle): Branch {
    const spelling = top.locator.spelling(top.real, top.bounds);
    return new Branch({ top, spelling }, ROOT, spelling.anyCase);
  }

  get locator(): Locator {
    return this.#start.top.locator;
  }

  get bounds(): Bounds {
    return this.#start.top.bounds;
  }

  get path(): EntryPath {
    return joinPaths(this.#start.top.path, this.#below);
  }

  /** The path as it counts from where the walk began: "/" there. */
  get below(): EntryPath {
    return this.#below;
  }

  get real(): RealPath {
    return this.#under(this.#start.top.real);
  }

  /**
   * Reads the folder. What the viewer may not know of is left out; links count as what they lead
   * to, but are not walked into.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  pick(isWanted: (name: string) => boolean): Picked {
    const { real } = this;
    const entries = entriesOf(this);
    const spelling = { real: this.#under(this.#start.spelling.real), anyCase: this.#anyCase };
    const { sees, anyCase } = sightOf(this, spelling, entries);
    const picked: Picked = { hits: [], branches: [] };
    let isProved = false;
    for (const entry of entries) {
      const { name, isDirectory, isSymlink } = entry;
      const isHit = isWanted(name);
      if (!isHit && !isDirectory) continue;
      if (isTemporaryName(name) || !sees(name) || isUnnameable(real, name)) continue;
      if (isDirectory) picked.branches.push(this.#child(name, anyCase));
      if (!isHit) continue;
      // Where a link leads must not be asked out there.
      isProved ||= isSymlink && new Proof(this.#start.top).holds(real);
      const child = isSymlink && !isProved ? null : childOfEntry(this, entry);
      if (child) picked.hits.push(child);
    }
    return picked;
  }

  #child(name: string, anyCase: boolean): Branch {
    return new Branch(this.#start, childOf(this.#below, name), anyCase);
  }

  #under(top: RealPath): RealPath {
    if (this.#below === ROOT) return top;
    return asRealPath(top === "/" ? this.#below : top + this.#below);
  }
}
