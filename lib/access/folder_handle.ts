import { DomainError } from "../errors.ts";
import { EntryHandle } from "./entry_handle.ts";
import { isSameEntry } from "./identity.ts";
import { type Child, childOfEntry, entriesOf, isUnnameable, sightOf } from "./folder_sight.ts";
import type { Bounds, Locator } from "./locator.ts";
import { isTemporaryName } from "./names.ts";
import { lstatIfThere } from "./lstat.ts";
import { asRefusal } from "./os_errors.ts";
import { childOf, type EntryPath } from "./path.ts";
import { realChild, type RealPath } from "./real_path.ts";

export type { Child };

/** What a folder holds. */
export interface FolderContent {
  /** What the viewer may know of, in the order of the disk. */
  children: Child[];
  /** How many entries the viewer may not know of. Our own temporary files do not count. */
  denied: number;
  /** How many more have names that are not UTF-8: no path can name them, so nobody sees them. */
  unnameable: number;
}

/** A folder that may be listed and walked. */
export class FolderHandle {
  /** @param bounds those under which the folder was found */
  constructor(
    readonly locator: Locator,
    readonly path: EntryPath,
    readonly real: RealPath,
    readonly info: Deno.FileInfo,
    readonly bounds: Bounds,
    readonly isLink = false,
  ) {}

  /** @throws {DomainError} `not_found` when it is not there, or is no folder */
  static at(locator: Locator, path: EntryPath, action: string): FolderHandle {
    const place = locator.locate(path, action);
    const entry = new EntryHandle(place, action);
    if (!entry.isFolder) throw new DomainError("not_found", `${action}: it is not a folder`);
    return new FolderHandle(locator, path, entry.real, entry.info, place.bounds, entry.isLink);
  }

  /**
   * Reads the folder and leaves out what the viewer may not know of. Links are followed to see
   * where they lead; other entries are told apart by the folder's own record of them.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  read(): FolderContent {
    const entries = entriesOf(this);
    this.verify();
    const content: FolderContent = { children: [], denied: 0, unnameable: 0 };
    const { sees } = sightOf(this, this.locator.spelling(this.real, this.bounds), entries);
    for (const entry of entries) {
      if (isTemporaryName(entry.name)) continue;
      const hasNoPath = isUnnameable(this.real, entry.name);
      if (!sees(entry.name) || (hasNoPath && this.#mayHide(entry))) {
        content.denied++;
      } else if (hasNoPath) {
        content.unnameable++;
      } else {
        const child = childOfEntry(this, entry);
        if (child) content.children.push(child);
        else content.denied++;
      }
    }
    return content;
  }

  /**
   * Proves that the path still leads to this very folder, so that what was read through it is its
   * own: to be called after a batch of looks at its entries.
   *
   * @throws {DomainError} `forbidden` when a component was swapped, `not_found` when it is gone
   */
  verify(): void {
    const action = `Cannot read the folder "${this.path}"`;
    const now = new EntryHandle(this.locator.locate(this.path, action), action);
    if (now.real !== this.real || !isSameEntry(now.info, this.info)) {
      throw new DomainError("not_found", `${action}: it was replaced`);
    }
  }

  /** What the disk says of an entry: of a link's target, or of the link when broken; null when gone. */
  stat(child: Child): Deno.FileInfo | null {
    if (child.target?.kind === "inside") return child.target.info;
    try {
      const info = lstatIfThere(realChild(this.real, child.name));
      // A link where none was read a moment ago: it is not known where it leads.
      return info?.isSymlink && !child.target ? null : info;
    } catch (error) {
      throw asRefusal(error, `Cannot read the folder "${this.path}"`);
    }
  }

  /** A folder in this one. Links are not entered: null for them, and for what is no folder now. */
  enter(child: Child): FolderHandle | null {
    const info = child.target ? null : this.stat(child);
    if (!info?.isDirectory) return null;
    const path = childOf(this.path, child.name);
    return new FolderHandle(
      this.locator,
      path,
      realChild(this.real, child.name),
      info,
      this.bounds,
    );
  }

  /** Looks again where a link leads that {@link read} gave; null when the viewer may not know of it. */
  follow({ name }: Child): Child | null {
    return childOfEntry(this, { name, isSymlink: true, isDirectory: false, isFile: false });
  }

  /**
   * Whether the viewer may be told that the entry of a name has changed. The folder is not read, so
   * it errs on the side of silence: a name that is denied in any case, upper or lower, is not told of.
   */
  mayTellOf(name: string): boolean {
    const spelling = this.locator.spelling(this.real, this.bounds);
    const spellings = [spelling, { ...spelling, anyCase: true }];
    if (!spellings.every((each) => sightOf(this, each, []).sees(name))) return false;
    const info = lstatIfThere(realChild(this.real, name));
    return !info?.isSymlink || this.follow({ name, isFolder: false, target: null }) !== null;
  }

  /** Whether something could lie below an entry that can't be entered and that nobody may know of. */
  #mayHide({ isDirectory }: Deno.DirEntry): boolean {
    return isDirectory && !this.locator.sight().hidesNothing;
  }
}
