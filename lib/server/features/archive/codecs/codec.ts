import type { OutputBuffer } from "../output_buffer.ts";

/** Compresses a stream, chunk by chunk. */
export interface Codec {
  /** Whether a large chunk of its output is full in no time. */
  readonly isFast?: true;
  /**
   * Compresses the next bytes. Their buffer may be detached; if it is not, the caller may reuse it
   * afterwards.
   */
  write(bytes: Uint8Array<ArrayBuffer>, into: OutputBuffer): Promise<void>;
  /** Flushes, and writes the end of the stream. */
  end(into: OutputBuffer): Promise<void>;
  /** Frees the codec's memory when the stream is aborted. */
  close?(): void;
}

/** The smallest buffers that are freed, in bytes: smaller ones may belong to Node's shared pool. */
export const minReleased = 16 * 1024;

/**
 * Frees the memory of a codec's output at once; the caller must hold the only reference. The
 * garbage collector sees only a small wrapper object, so that up to 100 MB add up. The bytes are
 * detached.
 */
export function release(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= minReleased) buffer.transfer(0);
}
