import { rmdirSync } from "node:fs";
import { DomainError } from "../errors.ts";
import { isSameEntry } from "./identity.ts";
import type { Locator, Place } from "./locator.ts";
import { lstatIfThere } from "./lstat.ts";
import { isSafeOnDisk } from "./names.ts";
import { asRefusal, codeOf } from "./os_errors.ts";
import { type EntryPath, parentOf, parsePath } from "./path.ts";
import { realChild, realName, realParent, type RealPath } from "./real_path.ts";

/** What has the name now. */
export interface Existing {
  info: Deno.FileInfo;
  /** A link that leads nowhere: it can be replaced, but not written through. */
  isBroken: boolean;
}

/**
 * A name under which the viewer may write. Through a link the target is written, beside the target:
 * the link stays.
 */
export class WriteHandle {
  readonly path: EntryPath;
  /** What has the name, when something has. */
  readonly existing: Existing | null;
  /** The name on the disk: that of the target, behind a link. */
  readonly name: string;
  readonly #locator: Locator;
  readonly #action: string;
  /** The deepest folder that is there, and the names of those to be made below it. */
  readonly #top: RealPath;
  readonly #missing: string[];
  readonly #made: RealPath[] = [];
  #folderInfo: Deno.FileInfo | null = null;

  /**
   * @throws {DomainError} `forbidden` for a parent that would have to be made and may not be known,
   * `exists` when a file or a broken link bears the name of a parent, `not_found` without a scope
   */
  constructor(locator: Locator, place: Place, action: string) {
    const { found } = place;
    this.#locator = locator;
    this.#action = action;
    this.path = place.path;
    if (found.kind === "found") {
      const target = found.target?.kind === "inside" ? found.target : null;
      const real = target?.real ?? found.real;
      this.existing = { info: target?.info ?? found.info, isBroken: !!found.target && !target };
      this.name = realName(real);
      this.#top = realParent(real);
      this.#missing = [];
      return;
    }
    const name = found.names.at(-1);
    if (name === undefined) throw new DomainError("not_found", `${action}: its scope is not there`);
    if (found.isBlocked) {
      throw new DomainError("exists", `${action}: a file has the name of one of its folders`);
    }
    if (!found.names.every((part) => isSafeOnDisk(part))) {
      throw new DomainError("invalid_name", `${action}: the disk does not take this name`);
    }
    this.existing = null;
    this.name = name;
    this.#top = found.folder;
    this.#missing = found.names.slice(0, -1);
    this.#checkParents();
  }

  /** The real path of the entry. For the rooms of lib/ alone: never shown. */
  get real(): RealPath {
    return realChild(this.folder, this.name);
  }

  /** The real folder that holds the entry, or will. */
  get folder(): RealPath {
    return this.#missing.reduce(realChild, this.#top);
  }

  /** Whether folders have to be made on the way. */
  get lacksParents(): boolean {
    return this.#missing.length > 0;
  }

  /** The same folder as a path below the server root, whatever the scope: to remember it by. */
  get folderBelowRoot(): EntryPath {
    const root = this.#locator.spec.root;
    return parsePath(root === "/" ? this.folder : this.folder.slice(root.length)).path;
  }

  /**
   * Makes the folders that are missing, and proves that the folder is the one the gate let through.
   *
   * @throws {DomainError} `forbidden`, `exists` when a file took the name of a folder, `disk_full`
   */
  makeParents(): void {
    let folder = this.#top;
    for (const name of this.#missing) {
      folder = realChild(folder, name);
      this.#makeFolder(folder);
    }
    this.#folderInfo = lstatIfThere(folder);
    this.verify();
  }

  /** Makes the entry itself a folder; one that is there already is fine. */
  makeFolder(): void {
    this.makeParents();
    this.#makeFolder(this.real);
    this.verify();
  }

  /** Removes the folders that were made on the way, those that are still empty. */
  removeMadeParents(): void {
    for (const folder of this.#made.splice(0).reverse()) {
      try {
        rmdirSync(folder);
      } catch {
        return; // Somebody put something into it: it stays, and so do those above.
      }
    }
  }

  /**
   * Proves that the path leads where it led: to be called before a step that can't be taken back.
   *
   * @throws {DomainError} `forbidden` when a component was swapped, `not_found` when one is gone
   */
  verify(): void {
    const { found } = this.#locator.locate(this.path, this.#action);
    if (found.kind === "missing" && found.names.length !== 1) {
      throw new DomainError("not_found", `${this.#action}: its folder is gone`);
    }
    const folder = found.kind === "missing" ? found.folder : realParent(
      found.target?.kind === "inside" ? found.target.real : found.real,
    );
    const info = lstatIfThere(folder);
    const known = this.#folderInfo;
    if (folder === this.folder && info && known && isSameEntry(info, known)) return;
    throw new DomainError("forbidden", `${this.#action}: its folder was replaced`);
  }

  #makeFolder(folder: RealPath): void {
    try {
      Deno.mkdirSync(folder);
      this.#made.push(folder);
    } catch (error) {
      if (error instanceof Error && codeOf(error) === "EEXIST") {
        if (lstatIfThere(folder)?.isDirectory) return; // Somebody else was faster.
        throw new DomainError("exists", `${this.#action}: a file has the name`);
      }
      throw asRefusal(error, this.#action);
    }
  }

  /** A folder may be made only where the viewer could have made it alone. */
  #checkParents(): void {
    let parent = this.path;
    for (let count = 0; count < this.#missing.length; count++) {
      parent = parentOf(parent);
      this.#locator.locate(parent, this.#action);
    }
  }
}
