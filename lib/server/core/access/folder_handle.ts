import type { OpenFile, OpenFolder } from "../disk/disk.ts";
import { type DirectoryEntry, type Facts, isSameEntry } from "../disk/facts.ts";
import { mounts } from "../disk/mounts.ts";
import { disk } from "../disk/this_disk.ts";
import { DomainError } from "../../../shared/errors.ts";
import { isCompanion } from "./companions.ts";
import { EntryHandle } from "./file_handle.ts";
import {
  type Child,
  childOfEntry,
  factsOfChild,
  openFolder,
  visibilityOf,
} from "./folder_visibility.ts";
import type { Locator } from "./locator.ts";
import type { Bounds } from "./scopes.ts";
import { isTemporaryName, virtualTop } from "./names.ts";
import { asRefusal } from "./os_errors.ts";
import { childrenOf, type EntryPath } from "../../../shared/path.ts";
import { realChild, type RealPath } from "../disk/real_path.ts";
import { type DiskSpelling, spellingBelow } from "./disk_spelling.ts";

/** The entries of a folder that are visible to a viewer. */
export interface FolderContent {
  /** In the order of the disk. */
  children: Child[];
  /** The number of entries hidden from the viewer, but for our temporary files and those of macOS. */
  denied: number;
}

/** A folder that may be listed and walked. */
export class FolderHandle {
  #spelling: DiskSpelling | null = null;

  /** @param bounds the confinement under which the folder was found */
  constructor(
    readonly locator: Locator,
    readonly path: EntryPath,
    readonly real: RealPath,
    readonly info: Facts,
    readonly bounds: Bounds,
    readonly isLink = false,
  ) {}

  /** @throws {DomainError} `not_found` when it is not there, or is no folder */
  static at(locator: Locator, path: EntryPath, action: string): FolderHandle {
    const entry = new EntryHandle(locator.locate(path, action), action);
    if (!entry.isFolder) throw new DomainError("not_found", `${action}: it is not a folder`);
    return FolderHandle.of(locator, entry);
  }

  /** The folder handle for an entry handle. */
  static of(locator: Locator, { path, real, info, bounds, isLink }: EntryHandle): FolderHandle {
    return new FolderHandle(locator, path, real, info, bounds, isLink);
  }

  /**
   * Opens the folder, which the caller closes: for many calls on its entries.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  open(): OpenFolder {
    return openFolder(this);
  }

  /**
   * Reads the folder and leaves out entries that the viewer may not know of. Links are resolved;
   * the kind of other entries comes from the folder's own record of them.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  read(): FolderContent {
    using folder = this.open();
    return this.readOpen(folder);
  }

  /** The same as {@link read}, for a caller that has this folder open. */
  readOpen(folder: OpenFolder): FolderContent {
    return this.#readOpen(folder, this.locator.viewer.hidesCompanions);
  }

  /** The same with the files of macOS that the viewer does not see, which go where the folder goes. */
  readWhole(folder: OpenFolder): FolderContent {
    return this.#readOpen(folder, false);
  }

  #readOpen(folder: OpenFolder, hidesCompanions = false): FolderContent {
    try {
      return this.#visible(folder, folder.entries(), hidesCompanions);
    } catch (error) {
      throw asRefusal(error, `Cannot read the folder "${this.path}"`);
    }
  }

  /**
   * The visible entries in parts, so that those of a huge folder are not in memory all at once. The
   * caller may do other work between two parts.
   *
   * @throws {DomainError} as {@link read}
   */
  *readInParts(folder: OpenFolder): Generator<Child[]> {
    const { hidesCompanions } = this.locator.viewer;
    try {
      // Whether the disk folds case is seen from all entries, and matters to rules.
      const parts = this.locator.visibility().hasRules
        ? [folder.entries()]
        : folder.entriesInParts();
      for (const entries of parts) yield this.#visible(folder, entries, hidesCompanions).children;
    } catch (error) {
      throw asRefusal(error, `Cannot read the folder "${this.path}"`);
    }
  }

  #visible(
    folder: OpenFolder,
    entries: DirectoryEntry[],
    hidesCompanions = false,
  ): FolderContent {
    const content: FolderContent = { children: [], denied: 0 };
    const { allows } = visibilityOf(this, this.spelling, { folder, entries });
    for (const entry of entries) {
      if (isTemporaryName(entry.name)) continue;
      const isAllowed = allows(entry);
      if (isAllowed && hidesCompanions && isCompanion(folder, entry)) continue;
      const child = isAllowed ? childOfEntry(this, entry) : null;
      if (child) content.children.push(child);
      else content.denied++;
    }
    return content;
  }

  /**
   * Facts about an entry: about a link's target, or about the link when it is broken or leads out;
   * null when it is gone. For the mount point of a slow or broken disk only its existence is known.
   *
   * @param folder this one, open
   */
  stat(child: Child, folder: OpenFolder): Facts | null {
    return factsOfChild(this, child, folder);
  }

  /**
   * A folder in this one. Links are not entered: null for them, and for what is no folder now.
   *
   * @param folder this one, if it is open
   */
  enter(child: Child, folder?: OpenFolder): FolderHandle | null {
    if (child.target) return null;
    if (this.real === virtualTop) return this.#enterRoot(child);
    const real = realChild(this.real, child.name);
    const info = folder ? folder.look(child.name) : lookOrRefuse(real, this.path);
    if (!info?.isDirectory) return null;
    const path = childrenOf(this.path)(child.name);
    const below = new FolderHandle(this.locator, path, real, info, this.bounds);
    if (this.#spelling && this.locator.visibility().hasRules) {
      below.#spelling = spellingBelow(this.#spelling, child.name);
    }
    return below;
  }

  #enterRoot({ name }: Child): FolderHandle | null {
    const path = childrenOf(this.path)(name);
    const entry = new EntryHandle(this.locator.locate(path, `Cannot list "${path}"`), "");
    return entry.isFolder ? FolderHandle.of(this.locator, entry) : null;
  }

  /** Whether an entry of this folder is the mount point of a broken disk. */
  isBrokenMount({ name }: Child): boolean {
    const real = realChild(this.real, name);
    if (!mounts.isPoint(real)) return false;
    try {
      openFolder({ locator: this.locator, path: this.path, real })[Symbol.dispose]();
      return false;
    } catch {
      return true;
    }
  }

  /** Resolves a link from {@link read} again; null when the viewer may not know its target. */
  follow({ name }: Child): Child | null {
    return childOfEntry(this, { name, kind: "link" });
  }

  /** Whether the folder was moved or deleted. */
  get isGone(): boolean {
    return this.real !== virtualTop && lookOrRefuse(this.real, this.path) === null;
  }

  /**
   * Whether a change of a named entry may be reported to the viewer. The folder is not read, so the
   * answer is conservative: a name that is denied in any case, upper or lower, is not reported.
   */
  mayReport(name: string): boolean {
    const { spelling } = this;
    using folder = this.open();
    const info = folder.look(name);
    const spellings = [spelling, { ...spelling, caseInsensitive: true }];
    const entry = { name, ino: info?.ino ?? 0 };
    const open = { folder, entries: [] };
    if (!spellings.every((each) => visibilityOf(this, each, open).allows(entry))) return false;
    const { hidesCompanions } = this.locator.viewer;
    if (hidesCompanions && info?.isFile && isCompanion(folder, { name, kind: "file" })) {
      return false;
    }
    return !info?.isSymlink || childOfEntry(this, { name, kind: "link" }) !== null;
  }

  /** The spelling of its path on the disk. */
  get spelling(): DiskSpelling {
    return this.#spelling ??= this.locator.spelling(this.real, this.bounds);
  }
}

function lookOrRefuse(real: RealPath, path: EntryPath): Facts | null {
  try {
    return disk.look(real);
  } catch (error) {
    throw asRefusal(error, `Cannot read the folder "${path}"`);
  }
}

/** The facts that identify one state of a file, and those that an archive keeps. */
export interface FileFacts {
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** Last change of content, name or rights, likewise. No call can set it. */
  changed: number;
  /** Permission bits, with those of the type. */
  mode: number;
  ino: number | null;
  dev: number;
}

/** A regular file in a folder that is being walked. */
export class ChildFile {
  constructor(
    readonly folder: FolderHandle,
    readonly name: string,
    readonly facts: FileFacts,
  ) {}

  get path(): EntryPath {
    return childrenOf(this.folder.path)(this.name);
  }

  /**
   * Opens the file, which the caller closes. No link is followed, and a pipe does not block.
   *
   * @throws {DomainError} `not_found` when the file is gone or another, `forbidden`
   */
  open(): OpenFile {
    try {
      using folder = disk.folder(this.folder.real);
      const file = folder.file(this.name, "read");
      const open = file.facts();
      if (open.isFile && isSameEntry(open, this.facts)) return file;
      file[Symbol.dispose]();
    } catch (error) {
      throw asRefusal(error, `Cannot open "${this.path}"`);
    }
    throw changedError(this.path);
  }

  /** The facts of what has the file's name now; null if nothing has. */
  look(): Facts | null {
    using folder = this.folder.open();
    return folder.look(this.name);
  }
}

/** The facts that a {@link ChildFile} keeps. */
export function factsOf({ size, mtime, ctime, mode, ino, dev }: Facts): FileFacts {
  const modified = mtime?.getTime() ?? 0;
  return { size, modified, changed: ctime?.getTime() ?? modified, mode: mode ?? 0, ino, dev };
}

/** Whether two stat calls saw the same file with the same content, as far as its facts tell. */
export function isUnchanged(now: FileFacts, before: FileFacts): boolean {
  return isSameEntry(now, before) && now.size === before.size && now.modified === before.modified;
}

/** The error for a file that has changed. */
export function changedError(path: EntryPath): DomainError {
  return new DomainError("not_found", `Cannot read "${path}": it changed during the read`);
}
