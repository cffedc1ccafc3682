import { type PictureFormat, pictureFormatOf } from "../../../files/content/types.ts";

/** Picture formats with previews. */
export type PictureKind = PictureFormat | "avif" | "heif";

/** A file's content, and its format by its first bytes. */
export interface EncodedPicture {
  kind: PictureKind;
  bytes: Uint8Array<ArrayBuffer>;
  /** A page of text: squares show its top rather than its middle, or all of a wide one. */
  isPage?: boolean;
}

/** A decoded picture: red, green, blue and opacity of each pixel, row by row. */
export interface Pixels {
  bytes: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
}

/** ISO container brands of pictures in AV1. */
const avifBrands = ["avif", "avis"];
/** The brands of HEVC pictures, and of the container in general. */
const heifBrands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"];

/**
 * The format of a picture by its first bytes alone: names are unreliable, and a decoder must get
 * only its own format.
 *
 * @returns null for other files, and for SVG: browsers show the file itself
 */
export function kindOf(bytes: Uint8Array): PictureKind | null {
  return pictureFormatOf(bytes) ?? containedKindOf(bytes);
}

function containedKindOf(bytes: Uint8Array): "avif" | "heif" | null {
  const brands = brandsOf(bytes);
  if (brands.some((brand) => avifBrands.includes(brand))) return "avif";
  return brands.some((brand) => heifBrands.includes(brand)) ? "heif" : null;
}

/** The first box lists the brands: length, `ftyp`, the main one, a version, others. */
function brandsOf(bytes: Uint8Array): string[] {
  const start = String.fromCharCode(...bytes.subarray(0, 256));
  if (!start.startsWith("ftyp", 4)) return [];
  const end = Math.min(start.charCodeAt(2) * 256 + start.charCodeAt(3), 256);
  const brands: string[] = [];
  for (let offset = 8; offset < end; offset += 4) {
    if (offset !== 12) brands.push(start.slice(offset, offset + 4));
  }
  return brands;
}
