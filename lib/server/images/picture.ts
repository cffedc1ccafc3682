import { type PictureFormat, pictureFormatOf } from "../files/content/sniff.ts";

/** Picture formats with previews. */
export type PictureKind = PictureFormat | "avif";

/** A file's content, and its format by its first bytes. */
export interface EncodedPicture {
  kind: PictureKind;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A decoded picture: red, green, blue and opacity of each pixel, row by row. */
export interface Pixels {
  bytes: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
}

/** ISO container brands of AV1 pictures; those of other codecs are not supported. */
const avifBrands = ["avif", "avis"];

/**
 * The format of a picture by its first bytes alone: names are unreliable, and a decoder must get
 * only its own format.
 *
 * @returns null for other files, and for SVG: browsers show the file itself
 */
export function kindOf(bytes: Uint8Array): PictureKind | null {
  return pictureFormatOf(bytes) ?? (isAvif(bytes) ? "avif" : null);
}

/** The first box lists the brands: length, `ftyp`, the main one, a version, others. */
function isAvif(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, 256));
  if (!start.startsWith("ftyp", 4)) return false;
  const end = Math.min(start.charCodeAt(2) * 256 + start.charCodeAt(3), 256);
  for (let offset = 8; offset < end; offset += 4) {
    if (offset !== 12 && avifBrands.includes(start.slice(offset, offset + 4))) return true;
  }
  return false;
}
