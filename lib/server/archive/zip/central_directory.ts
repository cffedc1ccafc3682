import type { Pages } from "../pages.ts";
import { endLength, writeEnd } from "./end_records.ts";
import type { ZipEntry } from "./entry.ts";
import { centralLength, writeCentral } from "./records.ts";

/** Records are buffered in chunks of this many bytes. */
const pieceSize = 64 * 1024;

/**
 * The directory of a zip in the making. It alone grows with every entry, so its records are kept as
 * final bytes, about 100 an entry.
 */
export class CentralDirectory {
  readonly #pieces: Uint8Array[] = [];
  #piece = new Uint8Array(pieceSize);
  #used = 0;
  #count = 0;

  /** Adds the record of a complete entry. */
  add(entry: ZipEntry): void {
    const length = centralLength(entry);
    if (this.#piece.length - this.#used < length) {
      this.#pieces.push(this.#piece.subarray(0, this.#used));
      this.#piece = new Uint8Array(Math.max(pieceSize, length));
      this.#used = 0;
    }
    writeCentral(new DataView(this.#piece.buffer), this.#used, entry);
    this.#used += length;
    this.#count++;
  }

  /** Writes the records and the end records. */
  async write(pages: Pages): Promise<void> {
    const offset = pages.position;
    for (const piece of this.#pieces.splice(0)) await pages.write(piece);
    await pages.write(this.#piece.subarray(0, this.#used));
    const directory = { count: this.#count, length: pages.position - offset, offset };
    const length = endLength(directory);
    await pages.room(length);
    writeEnd(pages.view, pages.offset, directory);
    pages.advance(length);
  }
}
