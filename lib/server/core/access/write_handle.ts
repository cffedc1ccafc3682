import { DiskError, type OpenFolder } from "../disk/disk.ts";
import { type Facts, isSameEntry } from "../disk/facts.ts";
import { disk } from "../disk/this_disk.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { LocatedEntry, Locator } from "./locator.ts";
import { windowsRefusal } from "../../../shared/windows_names.ts";
import { isSafeOnDisk } from "./names.ts";
import { isRootItself } from "../../../shared/named_roots.ts";
import { asRefusal } from "./os_errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { pathBelow, realChild, realName, realParent, type RealPath } from "../disk/real_path.ts";

/** Most folders that are made on the way to one entry: each is checked and flushed. */
const maxCreatedFolders = 256;

/** The entry that has the name. */
export interface Existing {
  info: Facts;
  /** A broken link: it can be replaced, but not written through. */
  isBroken: boolean;
}

/**
 * A name under which the viewer may write. Behind a link the target is written, in the target's
 * folder: the link stays.
 */
export class WriteHandle {
  readonly path: EntryPath;
  /** The entry that has the name, or null. */
  readonly existing: Existing | null;
  /** The name on the disk: that of the target, behind a link. */
  readonly name: string;
  readonly #locator: Locator;
  readonly #action: string;
  /** The deepest existing folder, and the names of those to be made below it. */
  readonly #top: RealPath;
  readonly #missing: string[];
  readonly #made: RealPath[] = [];

  /**
   * @param isFormer whether it is for an entry that had the name before
   * @throws {DomainError} `forbidden` for a missing parent that may not be known, `exists` when a
   * file or a broken link has the name of a parent, `not_found` without a scope, `invalid_path` when
   * too many parents are missing
   */
  constructor(locator: Locator, place: LocatedEntry, action: string, isFormer = false) {
    const { found } = place;
    if (isRootItself(locator.viewer, locator.inScope(place.path))) {
      locator.note?.({ kind: "top" });
      throw new DomainError("forbidden", `${action}: only named roots are at the top`);
    }
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
      locator.readOnly.assertWritable(this.real, place.bounds, action);
      return;
    }
    const name = found.names.at(-1);
    if (name === undefined) throw new DomainError("not_found", `${action}: its scope is not there`);
    if (found.isBlocked) {
      throw new DomainError("exists", `${action}: a file has the name of one of its folders`);
    }
    if (!found.names.every((part) => isSafeOnDisk(part))) {
      throw new DomainError("invalid_name", `${action}: the disk does not allow this name`);
    }
    const refused = locator.spec.windowsNames && !isFormer
      ? found.names.find(windowsRefusal)
      : null;
    if (refused) throw new DomainError("invalid_name", `${action}: ${windowsRefusal(refused)}`);
    this.existing = null;
    this.name = name;
    this.#top = found.folder;
    this.#missing = found.names.slice(0, -1);
    locator.readOnly.assertWritable(this.real, place.bounds, action);
    if (this.#missing.length > maxCreatedFolders) {
      throw new DomainError(
        "invalid_path",
        `${action}: over ${maxCreatedFolders} of its folders are missing`,
      );
    }
    locator.checkMissing(place, action);
  }

  /** The real path of the entry. For lib/server alone: never shown. */
  get real(): RealPath {
    return realChild(this.folder, this.name);
  }

  /** The real folder of the entry, existing or to be made. */
  get folder(): RealPath {
    return this.#missing.reduce(realChild, this.#top);
  }

  /** Permission bits of a new file; the system's when undefined. */
  get fileMode(): number | undefined {
    return this.#locator.spec.fileMode;
  }

  /** Whether folders have to be made on the way. */
  get lacksParents(): boolean {
    return this.#missing.length > 0;
  }

  /** The number of folders that have to be made on the way. */
  get missingParents(): number {
    return this.#missing.length;
  }

  /** The number of folders that were made: on the way, and the entry itself if it is one. */
  get madeFolders(): number {
    return this.#made.length;
  }

  /** The same folder as a path below the server root, for the journal. */
  get folderBelowRoot(): EntryPath {
    return pathBelow(this.folder, this.#locator.spec.root);
  }

  /** The deepest folder on the way that exists, as a path below the server root. */
  get topBelowRoot(): EntryPath {
    return pathBelow(this.#top, this.#locator.spec.root);
  }

  /**
   * Opens the deepest folder on the way that exists, which the caller closes. Makes nothing.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  openTop(): OpenFolder {
    try {
      return disk.folder(this.#top);
    } catch (error) {
      throw asRefusal(error, this.#action);
    }
  }

  /**
   * Makes the folders that are missing, and opens the one that holds the entry, which the caller
   * closes.
   *
   * @throws {DomainError} `forbidden`, `exists` when a file took the name of a folder, `disk_full`
   */
  open(): OpenFolder {
    let folder: OpenFolder | null = null;
    try {
      folder = disk.folder(this.#top);
      for (const name of this.#missing) {
        this.#makeFolder(folder, name);
        const below: OpenFolder = folder.folder(name);
        folder[Symbol.dispose]();
        folder = below;
      }
      return folder;
    } catch (error) {
      folder?.[Symbol.dispose]();
      throw asRefusal(error, this.#action);
    }
  }

  /**
   * Checks that the path still leads to the folder that was opened, so that no success
   * is reported for a path at which the file is not.
   *
   * @throws {DomainError} `not_found` when the folder was moved or replaced, `forbidden`
   */
  assertInPlace(folder: OpenFolder): void {
    try {
      using now = disk.folder(this.folder);
      if (isSameEntry(now.facts(), folder.facts())) return;
    } catch (error) {
      throw asRefusal(error, this.#action);
    }
    throw new DomainError("not_found", `${this.#action}: its folder is gone`);
  }

  /** Makes the entry itself a folder; an existing one is fine. @returns whether it was not there */
  async makeFolder(): Promise<boolean> {
    using folder = this.open();
    const isMade = this.#makeFolder(folder, this.name);
    await this.sync(folder);
    return isMade;
  }

  /**
   * Flushes the name to the disk, and the folders that were made for it.
   *
   * @param folder the one that holds the entry
   * @throws {DomainError} `disk_full`, `disk_error`
   */
  async sync(folder: OpenFolder): Promise<void> {
    try {
      await folder.sync();
      if (this.#made.length > 0) await this.#syncParents();
    } catch (error) {
      throw asRefusal(error, this.#action);
    }
  }

  /** Removes the folders that were made on the way, as far as they are still empty. */
  removeMadeParents(): void {
    for (const made of this.#made.splice(0).reverse()) {
      try {
        using above = disk.folder(realParent(made));
        above.removeFolder(realName(made));
      } catch {
        return; // Not empty: another request uses it.
      }
    }
  }

  #makeFolder(folder: OpenFolder, name: string): boolean {
    try {
      folder.makeFolder(name, this.#locator.spec.dirMode);
      this.#made.push(realChild(folder.real as RealPath, name));
      return true;
    } catch (error) {
      if (!(error instanceof DiskError && error.code === "EEXIST")) {
        throw asRefusal(error, this.#action);
      }
      // A concurrent request was faster.
      if (folder.look(name)?.isDirectory) return false;
      throw new DomainError("exists", `${this.#action}: a file has the name`);
    }
  }

  /** Flushes the folders on the way, each opened from the one above: paths may be very deep. */
  async #syncParents(): Promise<void> {
    let above = disk.folder(this.#top);
    try {
      for (const name of this.#missing) {
        await above.sync();
        const below = above.folder(name);
        above[Symbol.dispose]();
        above = below;
      }
    } finally {
      above[Symbol.dispose]();
    }
  }
}
