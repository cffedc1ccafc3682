import type { OutputBuffer } from "../output_buffer.ts";

/** Compresses a stream, chunk by chunk. */
export interface Codec {
  /** Compresses the next bytes; the caller may reuse their buffer afterwards. */
  write(bytes: Uint8Array, into: OutputBuffer): Promise<void>;
  /** Flushes, and writes the end of the stream. */
  end(into: OutputBuffer): Promise<void>;
  /** Frees the codec's memory when the stream is aborted. */
  close?(): void;
}
