import type { OpenFile } from "../disk/disk.ts";
import { type Facts, isSameEntry } from "../disk/facts.ts";
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

/** A file open for reading in order. */
export interface ReadableFile extends Pick<Deno.FsFile, "readable" | "seek" | "close">, Disposable {
  /**
   * Reads from the current position; null at the end.
   *
   * @param apart reads on another thread, even what the page cache holds
   */
  read(into: Uint8Array<ArrayBuffer>, apart?: boolean): Promise<number | null>;
}

/** Most attempts to open a file that is replaced during the opening. */
const maxAttempts = 4;

/** A regular file that may be read. */
export class FileHandle {
  #entry: EntryHandle;
  readonly #locator: Locator;
  readonly #action: string;
  #opened: Facts | null = null;

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
    return this.#opened ?? this.#entry.info;
  }

  /**
   * Opens the file for reading; the caller closes it. The opened file is the very one that the gate
   * found, even if a symlink is swapped in meanwhile (a race).
   *
   * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`
   */
  openSync(): OpenFile {
    try {
      for (let tries = 0; tries < maxAttempts; tries++) {
        using folder = disk.folder(realParent(this.real));
        const file = folder.file(realName(this.real), "read");
        const open = file.facts();
        if (open.isFile && isSameEntry(open, this.info)) {
          this.#opened = open;
          return file;
        }
        file[Symbol.dispose]();
        this.#entry = this.#look(this.path);
        this.#opened = null;
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
}

/** Bytes read at a time. */
const chunkBytes = 64 * 1024;

/**
 * Reads an open file in order, with the part of `Deno.FsFile` that reading needs. What the page
 * cache holds is read at once, which takes less processor time than a read on another thread.
 */
export class StreamedFile implements ReadableFile {
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
        const count = await this.read(chunk).catch((error) => {
          this.close();
          throw error;
        });
        if (count !== null) return controller.enqueue(chunk.subarray(0, count));
        this.close();
        controller.close();
      },
      cancel: () => this.close(),
    }, { highWaterMark: 0 });
  }

  async read(into: Uint8Array<ArrayBuffer>, apart = false): Promise<number | null> {
    const cached = apart ? null : this.#file.readCached(into, this.#position);
    const count = cached ?? await this.#file.readLater(into, this.#position);
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
