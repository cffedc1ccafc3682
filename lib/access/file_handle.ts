import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { DomainError } from "../errors.ts";
import { EntryHandle } from "./entry_handle.ts";
import type { Locator } from "./locator.ts";
import { asRefusal } from "./os_errors.ts";
import type { EntryPath } from "./path.ts";
import type { RealPath } from "./real_path.ts";

/** How often to begin again when the file was replaced while it was being opened. */
const mostTries = 4;

/**
 * How often the path is looked up again once the file is open. Somebody who swaps a folder for a
 * link and back in a tight loop must then hit the right half of the loop every single time.
 */
const looks = 6;

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

  /** Where the file lies, links resolved. For the rooms of lib/ alone: never shown. */
  get real(): RealPath {
    return this.#entry.real;
  }

  /** What the disk said of the file when it was last looked at. */
  get info(): Deno.FileInfo {
    return this.#entry.info;
  }

  /**
   * Opens the file for reading and proves that what is open is what the path leads to: a link
   * swapped in between the check and the opening is refused. The caller closes the file.
   *
   * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`
   */
  async open(): Promise<Deno.FsFile> {
    for (let tries = 0; tries < mostTries; tries++) {
      // Asynchronously: should a pipe have been swapped in, a thread of the pool waits, not we.
      const file = await this.#attempt(() => Deno.open(this.#entry.real, { read: true }));
      try {
        if (this.#isProven(file.statSync())) return file;
      } catch (error) {
        file.close();
        throw error;
      }
      file.close();
    }
    throw this.#swapped();
  }

  /**
   * The same for Workers that read synchronously: a file descriptor for `node:fs`, opened without
   * following a link and without waiting for a pipe. The caller closes it.
   *
   * @throws {DomainError} as {@link open}
   */
  openSync(): number {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    for (let tries = 0; tries < mostTries; tries++) {
      const descriptor = this.#attemptSync(() => openSync(this.#entry.real, flags));
      try {
        const { ino, dev } = fstatSync(descriptor);
        if (this.#isProven({ ino, dev })) return descriptor;
      } catch (error) {
        closeSync(descriptor);
        throw error;
      }
      closeSync(descriptor);
    }
    throw this.#swapped();
  }

  /** Looks the path up again, several times: each look must find the file that is open. */
  #isProven(open: { ino: number | null; dev: number }): boolean {
    for (let count = 0; count < looks; count++) {
      this.#entry = this.#look(this.path);
      if (this.info.ino !== open.ino || this.info.dev !== open.dev) return false;
    }
    return true;
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

  #attemptSync<T>(open: () => T): T {
    try {
      return open();
    } catch (error) {
      throw asRefusal(error, this.#action);
    }
  }

  #swapped(): DomainError {
    return new DomainError("forbidden", `${this.#action}: access is denied`);
  }
}
