import type { FileHandle } from "../access/file_handle.ts";

/**
 * A file that is read in steps which may be broken off at any of them: whenever that is, the file is
 * closed with the block that holds this.
 */
export class OpenFile implements Disposable {
  /** How many bytes the last {@link fill} brought; 0 at the end. */
  count = 0;
  #file: Deno.FsFile | null = null;
  #isClosed = false;

  /** @throws {DomainError} as `FileHandle.open()` */
  async open(handle: FileHandle): Promise<void> {
    const file = await handle.open();
    if (this.#isClosed) file.close();
    else this.#file = file;
  }

  /** The file that is open. */
  get info(): Deno.FileInfo {
    return this.#open.statSync();
  }

  /** Goes on reading at a place in the file. */
  async seek(position: number): Promise<void> {
    await this.#open.seek(position, Deno.SeekMode.Start);
  }

  /** Reads on, into a buffer; a read that nobody waits for any more fails in silence. */
  fill(buffer: Uint8Array): Promise<void> {
    const reading = this.#open.read(buffer).then((count) => {
      this.count = count ?? 0;
    });
    reading.catch(() => {});
    return reading;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#file?.close();
    this.#file = null;
  }

  get #open(): Deno.FsFile {
    if (this.#file) return this.#file;
    throw new Error("Cannot read the file: it is not open");
  }
}
