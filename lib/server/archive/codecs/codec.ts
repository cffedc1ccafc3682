import type { Pages } from "../pages.ts";

/** Makes a stream of bytes smaller, piece by piece. */
export interface Codec {
  /** Takes the next bytes, which may be used for something else afterwards. */
  write(bytes: Uint8Array, into: Pages): Promise<void>;
  /** Writes what is left, and what closes the stream. */
  end(into: Pages): Promise<void>;
  /** Lets go of what it holds, when the stream is not brought to its end. */
  close?(): void;
}
