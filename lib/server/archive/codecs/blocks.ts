import type { OutputBuffer } from "../output_buffer.ts";
import { type Codec, release } from "./codec.ts";

/**
 * A codec for libraries that compress only a whole input: the stream is cut into blocks, each a
 * frame of its own. Formats with concatenated frames read as one.
 */
export class BlockCodec implements Codec {
  readonly #block: Uint8Array<ArrayBuffer>;
  readonly #compress: (block: Uint8Array<ArrayBuffer>) => Uint8Array;
  #used = 0;
  #hasWritten = false;

  /** @param size of a block, in bytes */
  constructor(size: number, compress: (block: Uint8Array<ArrayBuffer>) => Uint8Array) {
    this.#block = new Uint8Array(size);
    this.#compress = compress;
  }

  async write(bytes: Uint8Array, into: OutputBuffer): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const part = bytes.subarray(done, done + this.#block.length - this.#used);
      this.#block.set(part, this.#used);
      this.#used += part.length;
      done += part.length;
      if (this.#used === this.#block.length) await this.#handOn(into);
    }
  }

  async end(into: OutputBuffer): Promise<void> {
    if (this.#used > 0 || !this.#hasWritten) await this.#handOn(into);
  }

  async #handOn(into: OutputBuffer): Promise<void> {
    const compressed = this.#compress(this.#block.subarray(0, this.#used));
    this.#used = 0;
    this.#hasWritten = true;
    await into.write(compressed);
    release(compressed);
    if (into.pauses.isDue) await into.pauses.pause();
  }
}
