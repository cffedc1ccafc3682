import { orientationIn } from "../../../../shared/exif_orientation.ts";
import { readBytes } from "../large_text.ts";

/** The first bytes of a file: its mark, and the chunk that tells what others it has. */
const HEAD = 30;
const CHUNK_HEAD = 8;

/** Bits of what a file has. */
const ANIMATION = 0x02;
const EXIF = 0x08;

/** Most chunks that are looked at, and most bytes of EXIF data, of which the first few tell. */
const MOST_CHUNKS = 12;
const MOST_EXIF = 4096;

/**
 * The orientation of a WebP by its EXIF data, 1 to 8, which browsers leave out of account; 1 also
 * for animations, and where it cannot be read.
 */
export async function webpOrientation(address: string, size: number): Promise<number> {
  const head = await readBytes(address, 0, Math.min(HEAD, size));
  const isExtended = head?.length === HEAD && /^RIFF.{4}WEBPVP8X/s.test(latin(head));
  const flags = head?.[20] ?? 0;
  if (!isExtended || !(flags & EXIF) || flags & ANIMATION) return 1;
  let at = HEAD;
  for (let count = 0; count < MOST_CHUNKS && at + CHUNK_HEAD <= size; count++) {
    const chunk = await readBytes(address, at, at + CHUNK_HEAD);
    if (chunk?.length !== CHUNK_HEAD) return 1;
    const length = new DataView(chunk.buffer, chunk.byteOffset).getUint32(4, true);
    at += CHUNK_HEAD;
    if (latin(chunk).startsWith("EXIF")) {
      const exif = await readBytes(address, at, Math.min(at + Math.min(length, MOST_EXIF), size));
      // Some programs begin it as in a JPEG.
      const start = exif && latin(exif).startsWith("Exif\0\0") ? 6 : 0;
      return exif ? orientationIn(exif.subarray(start)) : 1;
    }
    at += length + length % 2;
  }
  return 1;
}

function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
