import type { OutputBuffer } from "../output_buffer.ts";
import { endLength, writeEnd } from "./end_records.ts";
import type { ZipEntry } from "./entry.ts";
import { centralLength, writeCentral } from "./records.ts";

/** Records are buffered in chunks of this many bytes. */
const chunkSize = 64 * 1024;

/**
 * The directory of a zip in the making. It alone grows with every entry, so its records are kept as
 * final bytes, about 100 an entry.
 */
export class CentralDirectory {
  readonly #chunks: Uint8Array[] = [];
  #chunk = new Uint8Array(chunkSize);
  #used = 0;
  #count = 0;

  /** Adds the record of a complete entry. */
  add(entry: ZipEntry): void {
    const length = centralLength(entry);
    if (this.#chunk.length - this.#used < length) {
      this.#chunks.push(this.#chunk.subarray(0, this.#used));
      this.#chunk = new Uint8Array(Math.max(chunkSize, length));
      this.#used = 0;
    }
    writeCentral(new DataView(this.#chunk.buffer), this.#used, entry);
    this.#used += length;
    this.#count++;
  }

  /** Writes the records and the end records. */
  async write(out: OutputBuffer): Promise<void> {
    const offset = out.position;
    for (const chunk of this.#chunks.splice(0)) await out.write(chunk);
    await out.write(this.#chunk.subarray(0, this.#used));
    const directory = { count: this.#count, length: out.position - offset, offset };
    const length = endLength(directory);
    await out.reserve(length);
    writeEnd(out.view, out.offset, directory);
    out.advance(length);
  }
}
