import { constants, deflateRawSync } from "node:zlib";

/** The window of deflate (RFC 1951), in bytes. */
const windowSize = 32 * 1024;

/** The default level of zlib, `zip -6` and `gzip -6`. */
export const usualLevel = 6;

/** An empty last block in the fixed code. */
const lastBlock = Uint8Array.of(3, 0);

/**
 * Deflates a stream chunk by chunk, synchronously, with the memory of one chunk. Each output ends
 * at a whole byte and may refer to the chunk before, so that all of them together are one ordinary
 * stream (RFC 1951), hardly longer than one made at once.
 */
export class Deflater {
  readonly #level: number;
  #before = new Uint8Array(0);

  /** @param level 1 (fast) to 9 (small) */
  constructor(level: number) {
    this.#level = level;
  }

  /** Deflates the next chunk. The caller may reuse its buffer afterwards. */
  deflate(bytes: Uint8Array): Uint8Array {
    const deflated = deflateRawSync(bytes, {
      level: this.#level,
      finishFlush: constants.Z_SYNC_FLUSH,
      ...(this.#before.length > 0 ? { dictionary: this.#before } : {}),
    });
    this.#before = lastOf(this.#before, bytes);
    return deflated;
  }

  /** Returns the end of the stream. */
  end(): Uint8Array {
    return lastBlock;
  }
}

/** A copy of the last bytes of two chunks, up to deflate's window. */
function lastOf(before: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const kept = before.subarray(Math.max(0, before.length + bytes.length - windowSize));
  const added = bytes.subarray(Math.max(0, bytes.length - windowSize));
  const joined = new Uint8Array(Math.min(windowSize, before.length + bytes.length));
  joined.set(kept.subarray(0, joined.length - added.length));
  joined.set(added, joined.length - added.length);
  return joined;
}
