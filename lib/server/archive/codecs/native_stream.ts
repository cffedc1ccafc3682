import type { Pages } from "../pages.ts";
import { release } from "../release.ts";
import type { Codec } from "./codec.ts";

/** A compressor of the napi-rs packages: takes chunks, returns the output available so far. */
export interface NativeCompressor {
  update(bytes: Uint8Array): Uint8Array;
  finish(): Promise<Uint8Array>;
}

/** A codec for such a compressor: one continuous stream. */
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

  /** Finishing is the only way to free the library's memory before garbage collection. */
  close(): void {
    if (!this.#isFinished) this.#compressor.finish().catch(() => {});
    this.#isFinished = true;
  }
}

/** Bytes compressed at a time; xz takes 10 ms for them. */
const pieceSize = 64 * 1024;
