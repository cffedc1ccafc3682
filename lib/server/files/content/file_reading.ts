import type { FileHandle } from "../../core/access/file_handle.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import type { OpenFile } from "../../core/disk/disk.ts";
import type { Facts } from "../../core/disk/facts.ts";

/** Up to this many bytes are read synchronously: cheaper than a thread. */
const shortRead = 256 * 1024;

/**
 * A file read sequentially, in steps that may be aborted at any point: `using` closes it at the end
 * of the block.
 */
export class FileReading implements Disposable {
  /** Bytes that the last {@link fill} read; 0 at the end. */
  count = 0;
  readonly #file: OpenFile;
  readonly #action: string;
  #position = 0;

  /** @throws {DomainError} as `FileHandle.openSync()` */
  constructor(handle: FileHandle) {
    this.#action = `Cannot read "${handle.path}"`;
    this.#file = handle.openSync();
  }

  /** The file's current facts. */
  get info(): Facts {
    return this.#file.facts();
  }

  /** Continues reading at an offset. */
  seek(position: number): void {
    this.#position = position;
  }

  /**
   * Reads the next bytes into a buffer; the failure of a read that is no longer awaited is ignored.
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
