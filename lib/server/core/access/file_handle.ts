import type { OpenFile } from "../disk/disk.ts";
import { type Facts, isSameEntry } from "../disk/facts.ts";
import { hasRawBytes } from "../../../shared/entry_names.ts";
import { disk } from "../disk/this_disk.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { LocatedEntry, Locator } from "./locator.ts";
import { asRefusal } from "./os_errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { realName, realParent, type RealPath } from "../disk/real_path.ts";
import type { Bounds } from "./scopes.ts";

/** An entry that the viewer may know of. */
export class EntryHandle {
  readonly path: EntryPath;
  /** "" for the root of a scope; the root of a share has the name of what is shared. */
  readonly name: string;
  /** The target of a link, or the entry itself. For lib/server alone: never shown. */
  readonly real: RealPath;
  /** Facts about the target of a link, or about the link itself when it is broken. */
  readonly info: Facts;
  readonly isLink: boolean;
  /** A broken link. */
  readonly isBroken: boolean;
  /** The confinement under which it was found. */
  readonly bounds: Bounds;

  /** @throws {DomainError} `not_found` when no entry exists */
  constructor(place: LocatedEntry, action: string) {
    const { found } = place;
    if (found.kind === "missing") throw new DomainError("not_found", `${action}: it is not there`);
    const target = found.target?.kind === "inside" ? found.target : null;
    this.path = place.path;
    this.bounds = place.bounds;
    this.name = place.name;
    this.real = target?.real ?? found.real;
    this.info = target?.info ?? found.info;
    this.isLink = found.target !== null;
    this.isBroken = this.isLink && target === null;
  }

  /** A folder, or a link to one. */
  get isFolder(): boolean {
    return this.info.isDirectory;
  }

  /** A regular file, or a link to one: not a pipe, a socket or a device. */
  get isFile(): boolean {
    return this.info.isFile;
  }
}

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

/** Bytes read at a time. */
const chunkBytes = 256 * 1024;

/**
 * A file that Deno can't open by its path, since that is too long or not UTF-8, with the part of
 * `Deno.FsFile` that reading needs. Slower, but equivalent.
 */
export class StreamedFile implements Disposable {
  readonly #file: OpenFile;
  #position = 0;

  /** @param file closed with this one */
  constructor(file: OpenFile) {
    this.#file = file;
  }

  /** The rest of the file; closes it at the end. */
  get readable(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({
      pull: async (controller) => {
        const chunk = new Uint8Array(chunkBytes);
        const count = await this.#file.readLater(chunk, this.#position);
        this.#position += count;
        if (count > 0) return controller.enqueue(chunk.subarray(0, count));
        this.close();
        controller.close();
      },
      cancel: () => this.close(),
    }, { highWaterMark: 0 });
  }

  /** Reads from the current position; null at the end. */
  async read(into: Uint8Array<ArrayBuffer>): Promise<number | null> {
    const count = await this.#file.readLater(into, this.#position);
    this.#position += count;
    return count === 0 ? null : count;
  }

  /** Seeks to a position from the start of the file. */
  seek(offset: number | bigint): Promise<number> {
    this.#position = Number(offset);
    return Promise.resolve(this.#position);
  }

  /** Idempotent. */
  close(): void {
    this.#file[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
