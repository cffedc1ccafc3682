import { DiskError, type OpenFile, type OpenFolder, tryTo } from "../../../core/disk/disk.ts";
import { type Growth, noGrowth } from "../../../core/access/allowance.ts";
import { unknownFacts } from "../../../core/disk/facts.ts";
import { disk } from "../../../core/disk/this_disk.ts";
import type { Pauses } from "../../../core/concurrency/pauses.ts";
import { unsafeArchiveError } from "./archived_entry.ts";

/** Permission bits of new entries; the system's when undefined. */
export interface Modes {
  fileMode?: number;
  dirMode?: number;
}

/**
 * A new tree in the making, in a folder that only the server enters. Folders are opened relative to
 * one another, and links are never followed, so that no name leads out of it.
 */
export class StagedTree implements Disposable {
  readonly #top: OpenFolder;
  readonly #modes: Modes;
  /** The folder of the last entry, with those above it. */
  readonly #stack: { name: string; folder: OpenFolder }[] = [];
  /** What was made or replaced in addition to new files. */
  #growth = { ...noGrowth };
  /** When folders were changed, by their paths below the top; in milliseconds since 1970. */
  readonly #times = new Map<string, number>();

  /** @param top an empty folder, which the caller closes */
  constructor(top: OpenFolder, modes: Modes) {
    this.#top = top;
    this.#modes = modes;
  }

  /**
   * Adds a folder, with those above it, unless it is there.
   *
   * @param modified when the folder was changed, which is set at the end
   * @throws {DomainError} `unsafe_archive` when a file has a name
   */
  addFolder(names: readonly string[], modified: number | null): void {
    this.#enter(names);
    if (modified !== null) this.#times.set(names.map((name) => `/${name}`).join(""), modified);
  }

  /**
   * Makes a file, which the caller closes. It replaces a former one of the same name, of an archive
   * that was appended to.
   *
   * @throws {DomainError} `unsafe_archive` when a folder has the name
   */
  addFile(names: readonly string[]): OpenFile {
    const name = names.at(-1);
    if (name === undefined) throw unsafeArchiveError("a file in it has no name");
    const folder = this.#enter(names.slice(0, -1));
    try {
      return folder.file(name, "create", this.#modes.fileMode);
    } catch (error) {
      if (!isTaken(error)) throw error;
      if (!folder.look(name)?.isFile) {
        throw unsafeArchiveError(`"${names.join("/")}" is a file and a folder in it`);
      }
    }
    this.#growth.bytes -= folder.look(name)?.size ?? 0;
    this.#growth.files--;
    folder.removeFile(name);
    return folder.file(name, "create", this.#modes.fileMode);
  }

  /**
   * Opens a file that was made, which the caller closes.
   *
   * @throws {DomainError} `unsafe_archive` when there is none
   */
  openFile(names: readonly string[]): OpenFile {
    const name = names.at(-1) ?? "";
    try {
      const file = this.#enter(names.slice(0, -1)).file(name, "read");
      if (file.facts().isFile) return file;
      file[Symbol.dispose]();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
    throw unsafeArchiveError(
      `a link in it leads to "${names.join("/")}", which is not a file in it`,
    );
  }

  /** The folders that were made, less the files that were replaced, since the last call. */
  takeGrowth(): Growth {
    const growth = this.#growth;
    this.#growth = { ...noGrowth };
    return growth;
  }

  /** Sets the times of all folders, once nothing changes in them any more. */
  async finish(pauses: Pauses): Promise<void> {
    this[Symbol.dispose]();
    const deepestFirst = [...this.#times].sort(([a], [b]) => b.length - a.length);
    for (const [path, modified] of deepestFirst) {
      using folder = disk.folder(`${this.#top.real}${path}`);
      const times = { ...unknownFacts("folder"), atime: new Date(), mtime: new Date(modified) };
      tryTo(() => folder.setTimes(times));
      if (pauses.isDue) await pauses.pause();
    }
  }

  [Symbol.dispose](): void {
    for (const { folder } of this.#stack.splice(0).reverse()) folder[Symbol.dispose]();
  }

  #enter(names: readonly string[]): OpenFolder {
    const stack = this.#stack;
    const shared = stack.findIndex(({ name }, index) => name !== names[index]);
    if (shared >= 0) {
      for (const { folder } of stack.splice(shared).reverse()) folder[Symbol.dispose]();
    }
    let folder = stack.at(-1)?.folder ?? this.#top;
    for (const name of names.slice(stack.length)) {
      folder = this.#open(folder, name, names);
      stack.push({ name, folder });
    }
    return folder;
  }

  #open(above: OpenFolder, name: string, names: readonly string[]): OpenFolder {
    try {
      above.makeFolder(name, this.#modes.dirMode);
      this.#growth.files++;
    } catch (error) {
      if (!isTaken(error)) throw error;
      const isFolder = above.look(name)?.isDirectory;
      if (!isFolder) throw unsafeArchiveError(`"${names.join("/")}" is a file and a folder in it`);
    }
    return above.folder(name);
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof DiskError && ["EEXIST", "EISDIR", "ELOOP"].includes(error.code);
}
