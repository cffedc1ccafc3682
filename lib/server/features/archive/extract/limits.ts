import { DomainError } from "../../../../shared/errors.ts";
import { archiveTooLargeError } from "./archived_entry.ts";

/** Most entries of an archive. */
const maxEntries = 500_000;

/** Folders in one another, at most. */
export const maxDepth = 100;

/** How many times as long as the archive its content may be, once that has reached a size. */
const maxRatio = 250;

/** The content of an archive up to this size may be packed however tightly, in bytes. */
const freeBytes = 1024 * 1024 * 1024;

/** Bytes that an extraction leaves free on the disk. */
const minFreeBytes = 64 * 1024 * 1024;

/** Guards against archives that are made to fill the disk ("bombs"). */
export class Limits {
  readonly #maxBytes: number;
  readonly #capacity: number;
  #entries = 0;
  #bytes = 0;
  #announced = 0;

  /**
   * @param size of the archive, in bytes
   * @param free bytes of the target's disk
   */
  constructor(size: number, free: number) {
    this.#maxBytes = Math.max(freeBytes, size * maxRatio);
    this.#capacity = free - minFreeBytes;
  }

  /**
   * Checks how many entries an archive says that it has.
   *
   * @throws {DomainError} `archive_too_large`
   */
  expectEntries(count: number): void {
    if (count <= maxEntries) return;
    throw archiveTooLargeError(`it has more than ${maxEntries} entries`);
  }

  /**
   * Checks how many bytes an archive says that its content has.
   *
   * @throws {DomainError} `archive_too_large`, `disk_full`
   */
  expectBytes(bytes: number): void {
    if (bytes > this.#maxBytes) {
      throw archiveTooLargeError(`its content is more than ${maxRatio} times its size`);
    }
    if (bytes > this.#capacity) {
      throw new DomainError("disk_full", "Cannot extract the archive: it does not fit on the disk");
    }
  }

  /** Takes the size of all that is going to come out, where the archive tells; throws likewise. */
  announce(bytes: number): void {
    this.expectBytes(bytes);
    this.#announced = bytes;
  }

  /** The announced size, in bytes; 0 where the archive has none. */
  get announced(): number {
    return this.#announced;
  }

  /** Counts an entry, before anything of it is written; throws likewise. */
  add(bytes: number): void {
    this.expectEntries(++this.#entries);
    this.addBytes(bytes);
  }

  /** Counts bytes that an entry was not known to have; throws likewise. */
  addBytes(bytes: number): void {
    this.#bytes += bytes;
    this.expectBytes(this.#bytes);
  }
}
