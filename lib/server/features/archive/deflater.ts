import type { Bytes } from "../../core/concurrency/protocol.ts";
import { type Remote, remote } from "../../core/concurrency/remote.ts";
import { release } from "./codecs/codec.ts";
import {
  deflatePart,
  type Deflating,
  lastBlock,
  looksRandom,
  maxHelpers,
  storedBlocks,
} from "./deflate.ts";
import type { DeflateWork } from "./deflate_worker.ts";
import type { OutputBuffer } from "./output_buffer.ts";

/** Parts that each helper has, so that it never waits for the next one. */
const partsPerHelper = 2;

/** The start of a helper takes as much time as these parts at the fastest level, 16 MiB. */
const partsPerStart = 64;

/** Parts that this thread deflated while another helper could have been started. */
let partsAlone = 0;

/** Threads that deflate parts of this thread's streams. */
const helpers = Array.from({ length: maxHelpers }, (_, index) =>
  remote<DeflateWork>({
    script: new URL("./deflate_worker.ts", import.meta.url),
    name: `deflate ${index + 1}`,
  }));

/**
 * Deflates a stream (RFC 1951) on all processors: in parts that are independent of each other, and
 * written in order. The output depends on the parts and the level alone, not on the threads.
 */
export class Deflater {
  readonly #deflating: Deflating;
  /** Parts that wait for an earlier one to be written: they count in `Format.held`. */
  readonly #pending: Promise<Uint8Array>[] = [];

  constructor(deflating: Deflating) {
    this.#deflating = deflating;
  }

  /**
   * Takes the next part of the stream, and writes earlier ones. The buffer may be detached; if it
   * is not, the caller may reuse it afterwards.
   */
  async write(bytes: Bytes, into: OutputBuffer): Promise<void> {
    if (looksRandom(bytes)) {
      await this.#writePending(into, 0);
      for (const piece of storedBlocks(bytes)) await into.write(piece);
    } else {
      const deflated = this.#deflate(bytes);
      // An abort leaves it unread.
      deflated.catch(() => {});
      this.#pending.push(deflated);
      await this.#writePending(into, this.#deflating.helpers + partsPerHelper);
    }
    if (into.pauses.isDue) await into.pauses.pause();
  }

  /** Writes all parts and the end of the stream. */
  async end(into: OutputBuffer): Promise<void> {
    await this.#writePending(into, 0);
    await into.write(lastBlock);
  }

  #deflate(bytes: Bytes): Promise<Uint8Array> {
    const { level, helpers } = this.#deflating;
    const helper = freeHelper(helpers);
    if (!helper) return Promise.resolve(deflatePart(bytes, level));
    return helper.deflate({ bytes, level }, { transfer: [bytes.buffer] });
  }

  async #writePending(into: OutputBuffer, left: number): Promise<void> {
    while (this.#pending.length > left) {
      const bytes = await this.#pending.shift();
      if (!bytes) return;
      await into.write(bytes);
      release(bytes);
    }
  }
}

/**
 * The least busy helper that runs, among the first `count`. One more starts when this thread has
 * had enough parts for itself.
 */
function freeHelper(count: number): Remote<DeflateWork> | undefined {
  const allowed = helpers.slice(0, count);
  const [running] = allowed
    .filter(({ isRunning, load }) => isRunning && load < partsPerHelper)
    .sort((a, b) => a.load - b.load);
  if (running) return running;
  const next = allowed.find(({ isRunning }) => !isRunning);
  if (!next || ++partsAlone <= partsPerStart) return undefined;
  partsAlone = 0;
  return next;
}
