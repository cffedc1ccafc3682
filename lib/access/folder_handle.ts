import { DomainError } from "../errors.ts";
import { foldName } from "../rules/fold.ts";
import { EntryHandle } from "./entry_handle.ts";
import { isSameEntry } from "./identity.ts";
import { belowScope, type Bounds, type Locator } from "./locator.ts";
import { isTemporaryName } from "./names.ts";
import { lstatIfThere } from "./lstat.ts";
import { asRefusal } from "./os_errors.ts";
import { childOf, type EntryPath } from "./path.ts";
import { realChild, type RealPath } from "./real_path.ts";
import { followLink, type LinkTarget } from "./resolve.ts";
import { foldsNames } from "./spelling.ts";

/** An entry of a folder, as far as it is known without asking the disk about each. */
export interface Child {
  name: string;
  /** A folder, or a link to one. */
  isFolder: boolean;
  /** Where it leads, when it is a link; never out of the bounds. */
  target: Exclude<LinkTarget, { kind: "outside" }> | null;
}

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
    const entries = this.#entries();
    this.verify();
    const content: FolderContent = { children: [], denied: 0, unnameable: 0 };
    const sees = this.#seer(entries);
    for (const entry of entries) {
      if (isTemporaryName(entry.name)) continue;
      const isUnnameable = this.#isUnnameable(entry.name);
      if (!sees(entry.name) || (isUnnameable && this.#mayHide(entry))) {
        content.denied++;
      } else if (isUnnameable) {
        content.unnameable++;
      } else {
        const child = this.#child(entry);
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
    return this.#child({ name, isSymlink: true, isDirectory: false, isFile: false });
  }

  #entries(): Deno.DirEntry[] {
    try {
      return [...Deno.readDirSync(this.real)];
    } catch (error) {
      throw asRefusal(error, `Cannot read the folder "${this.path}"`);
    }
  }

  /** Decides by name, both for the path asked for and, behind a link, for the real one. */
  #seer(entries: Deno.DirEntry[]): (name: string) => boolean {
    const { locator } = this;
    const { real, anyCase } = locator.spelling(this.real, this.bounds);
    const folds = anyCase || (locator.sight().hasRules && this.#foldsNames(entries));
    const asked = locator.inScope(this.path);
    const behind = belowScope(real, this.bounds.scope);
    const reserved = locator.reservedIn(this.real);
    const tests = [locator.sight(folds).seesIn(asked)];
    if (behind !== asked) tests.push(locator.sight(folds).seesIn(behind));
    return (name) =>
      tests.every((sees) => sees(name)) && !(reserved.size > 0 && reserved.has(foldName(name)));
  }

  #foldsNames(entries: Deno.DirEntry[]): boolean {
    const telling = entries.find(({ name }) => /[a-z]/i.test(name) && !this.#isUnnameable(name));
    return telling !== undefined && foldsNames(this.real, telling.name);
  }

  #child({ name, isDirectory, isSymlink }: Deno.DirEntry): Child | null {
    if (!isSymlink) return { name, isFolder: isDirectory, target: null };
    const target = followLink(realChild(this.real, name), this.bounds.base);
    if (target.kind === "outside" || !this.locator.seesTarget(target, this.bounds)) return null;
    return { name, isFolder: target.kind === "inside" && target.info.isDirectory, target };
  }

  /** Whether something could lie below an entry that can't be entered and that nobody may know of. */
  #mayHide({ isDirectory }: Deno.DirEntry): boolean {
    return isDirectory && !this.locator.sight().hidesNothing;
  }

  /** Deno gives such names with U+FFFD in place of the wrong bytes, and that name is not there. */
  #isUnnameable(name: string): boolean {
    return name.includes("\uFFFD") && lstatIfThere(realChild(this.real, name)) === null;
  }
}
