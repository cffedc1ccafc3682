import type { Pages } from "../pages.ts";
import { release } from "../release.ts";
import type { Codec } from "./codec.ts";

/** A compressor of the napi-rs packages: takes pieces, and gives what came of them so far. */
export interface NativeCompressor {
  update(bytes: Uint8Array): Uint8Array;
  finish(): Promise<Uint8Array>;
}

/** A codec for such a compressor: one stream from the beginning to the end. */
export class NativeStreamCodec implements Codec {
  readonly #compressor: NativeCompressor;
  #isFinished = false;

  constructor(compressor: NativeCompressor) {
    this.#compressor = compressor;
  }

  async write(bytes: Uint8Array, into: Pages): Promise<void> {
    for (let start = 0; start < bytes.length; start += pieceSize) {
      const made = this.#compressor.update(bytes.subarray(start, start + pieceSize));
      await into.write(made);
      release(made);
      if (into.pauses.isDue) await into.pauses.pause();
    }
  }

  async end(into: Pages): Promise<void> {
    this.#isFinished = true;
    await into.write(await this.#compressor.finish());
  }

  /** To finish is the one way to free what the library holds before the collector comes by. */
  close(): void {
    if (!this.#isFinished) this.#compressor.finish().catch(() => {});
    this.#isFinished = true;
  }
}

/** What is compressed at a time; xz takes a hundredth of a second for it. */
const pieceSize = 64 * 1024;
