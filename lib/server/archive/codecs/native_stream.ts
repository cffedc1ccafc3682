import type { PatientSteps } from "../../rpc/slices.ts";
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

  *write(bytes: Uint8Array, into: Pages): PatientSteps<void> {
    for (let start = 0; start < bytes.length; start += pieceSize) {
      const made = this.#compressor.update(bytes.subarray(start, start + pieceSize));
      yield* into.write(made);
      release(made);
      yield;
    }
  }

  *end(into: Pages): PatientSteps<void> {
    this.#isFinished = true;
    let last: Uint8Array = new Uint8Array(0);
    yield this.#compressor.finish().then((bytes) => void (last = bytes));
    yield* into.write(last);
  }

  /** To finish is the one way to free what the library holds before the collector comes by. */
  close(): void {
    if (!this.#isFinished) this.#compressor.finish().catch(() => {});
    this.#isFinished = true;
  }
}

/** What is compressed at a time; xz takes a hundredth of a second for it. */
const pieceSize = 64 * 1024;
