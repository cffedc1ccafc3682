import type { OpenFile } from "../disk/disk.ts";

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
