// Unzips in memory, with the size of each part known beforehand; small, and needs nothing else.
import { unzipSync, zipSync } from "fflate";

/** Most that the parts of a document may be together, in bytes. */
const MOST_BYTES = 150 * 2 ** 20;

/** Most parts of a document. */
const MOST_PARTS = 10_000;

/** Thrown for a document that would fill the memory. */
export class TooLargeError extends Error {}

/**
 * Unzips an office document and zips it again without compression, so that the library that reads
 * it meets no bomb: a part never becomes longer than its directory says, which is limited.
 *
 * @param isWanted tells the parts that are needed; pictures and fonts may be left out
 * @throws {TooLargeError}; Error for what is no zip
 */
export function limitedZip(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): Uint8Array<ArrayBuffer> {
  let size = 0;
  let count = 0;
  const parts = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!isWanted(name)) return false;
      size += originalSize;
      if (size > MOST_BYTES || ++count > MOST_PARTS) throw new TooLargeError();
      return true;
    },
  });
  return zipSync(parts, { level: 0 }) as Uint8Array<ArrayBuffer>;
}
