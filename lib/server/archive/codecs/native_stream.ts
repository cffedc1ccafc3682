import type { OutputBuffer } from "../output_buffer.ts";
import { type Codec, release } from "./codec.ts";

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

  async write(bytes: Uint8Array, into: OutputBuffer): Promise<void> {
    for (let start = 0; start < bytes.length; start += chunkSize) {
      const made = this.#compressor.update(bytes.subarray(start, start + chunkSize));
      await into.write(made);
      release(made);
      if (into.pauses.isDue) await into.pauses.pause();
    }
  }

  async end(into: OutputBuffer): Promise<void> {
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
const chunkSize = 64 * 1024;
