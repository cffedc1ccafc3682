import type { FileHandle } from "../../access/file_handle.ts";
import { asRefusal } from "../../access/os_errors.ts";
import type { OpenFile } from "../../disk/disk.ts";
import type { Facts } from "../../disk/facts.ts";

/** Up to so many bytes are read without a thread, which would cost more than it saves. */
const shortRead = 256 * 1024;

/**
 * A file that is read from its beginning, in steps which may be broken off at any of them: whenever
 * that is, the file is closed with the block that holds this.
 */
export class FileReading implements Disposable {
  /** How many bytes the last {@link fill} brought; 0 at the end. */
  count = 0;
  readonly #file: OpenFile;
  readonly #action: string;
  #position = 0;

  /** @throws {DomainError} as `FileHandle.openSync()` */
  constructor(handle: FileHandle) {
    this.#action = `Cannot read "${handle.path}"`;
    this.#file = handle.openSync();
  }

  /** Facts about the file as they are now. */
  get info(): Facts {
    return this.#file.facts();
  }

  /** Goes on reading at a place in the file. */
  seek(position: number): void {
    this.#position = position;
  }

  /**
   * Reads on, into a buffer; a read that is not awaited any more fails in silence.
   *
   * @throws {DomainError} `disk_error`
   */
  fill(buffer: Uint8Array<ArrayBuffer>): Promise<void> {
    const reading = this.#read(buffer);
    reading.catch(() => {});
    return reading;
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  async #read(buffer: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      this.count = buffer.length <= shortRead
        ? this.#file.read(buffer, this.#position)
        : await this.#file.readLater(buffer, this.#position);
    } catch (error) {
      throw asRefusal(error, this.#action);
    }
    this.#position += this.count;
  }
}
