import type { OpenFile } from "../disk/disk.ts";
import { type Facts, isSameEntry } from "../disk/facts.ts";
import { hasRawBytes } from "../../../shared/entry_names.ts";
import { disk } from "../disk/this_disk.ts";
import { DomainError } from "../../../shared/errors.ts";
import { EntryHandle } from "./entry_handle.ts";
import type { Locator } from "./locator.ts";
import { asRefusal } from "./os_errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { realName, realParent, type RealPath } from "../disk/real_path.ts";
import { StreamedFile } from "./streamed_file.ts";

/** A file open for reading, preferably as a `Deno.FsFile`: the fastest to send. */
export type ReadableFile =
  & Pick<Deno.FsFile, "readable" | "read" | "seek" | "close">
  & Disposable;

/** Most attempts to open a file that is replaced during the opening. */
const maxAttempts = 4;

/** The longest path that system calls accept, in bytes. */
const maxPathBytes = 4_000;

/** A regular file that may be read. */
export class FileHandle {
  #entry: EntryHandle;
  readonly #locator: Locator;
  readonly #action: string;

  /** @throws {DomainError} `not_found`, `is_folder`, or `not_a_file` for pipes, sockets and devices */
  constructor(locator: Locator, path: EntryPath, action: string) {
    this.#locator = locator;
    this.#action = action;
    this.#entry = this.#look(path);
  }

  get path(): EntryPath {
    return this.#entry.path;
  }

  get name(): string {
    return this.#entry.name;
  }

  /** The real path of the file, links resolved. For lib/server alone: never shown. */
  get real(): RealPath {
    return this.#entry.real;
  }

  /** Facts about the file at the last stat call: those of the open file, once it is open. */
  get info(): Facts {
    return this.#entry.info;
  }

  /**
   * Opens the file for reading; the caller closes it. Deno can only open a path, and would follow a
   * symlink that was swapped in (a race): unless the opened file is the very one that the gate
   * found, it is closed before a byte is read.
   *
   * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`
   */
  async open(): Promise<ReadableFile> {
    if (hasRawBytes(this.real) || this.real.length * 3 > maxPathBytes) {
      return new StreamedFile(this.openSync());
    }
    for (let tries = 0; tries < maxAttempts; tries++) {
      // Asynchronous: opening a swapped-in pipe blocks a thread of the pool, not the event loop.
      const file = await this.#attempt(() => Deno.open(this.real, { read: true }));
      try {
        // Deno refuses facts below /dev and the like, where a link may have led.
        const open = file.statSync();
        const isFound = open.isFile && isSameEntry(open, this.info);
        if (isFound && open.size === this.info.size) return file;
        this.#entry = this.#look(this.path);
        if (isFound && isSameEntry(open, this.info)) return file;
      } catch (error) {
        file.close();
        throw asRefusal(error, this.#action);
      }
      file.close();
    }
    throw new DomainError("forbidden", `${this.#action}: access is denied`);
  }

  /**
   * The synchronous variant, for Workers.
   *
   * @throws {DomainError} as {@link open}
   */
  openSync(): OpenFile {
    try {
      for (let tries = 0; tries < maxAttempts; tries++) {
        using folder = disk.folder(realParent(this.real));
        const file = folder.file(realName(this.real), "read");
        const open = file.facts();
        if (open.isFile && isSameEntry(open, this.info)) return file;
        file[Symbol.dispose]();
        this.#entry = this.#look(this.path);
      }
    } catch (error) {
      throw asRefusal(error, this.#action);
    }
    throw new DomainError("forbidden", `${this.#action}: access is denied`);
  }

  #look(path: EntryPath): EntryHandle {
    const entry = new EntryHandle(this.#locator.locate(path, this.#action), this.#action);
    if (entry.isFile) return entry;
    if (entry.isBroken) {
      throw new DomainError("not_found", `${this.#action}: the link leads nowhere`);
    }
    if (entry.isFolder) throw new DomainError("is_folder", `${this.#action}: it is a folder`);
    throw new DomainError("not_a_file", `${this.#action}: it is not a regular file`);
  }

  async #attempt<T>(open: () => Promise<T>): Promise<T> {
    try {
      return await open();
    } catch (error) {
      throw asRefusal(error, this.#action);
    }
  }
}
