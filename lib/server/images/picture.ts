/** The kinds of pictures there can be previews of. */
export type PictureKind = "avif" | "bmp" | "gif" | "jpeg" | "png" | "svg" | "tiff" | "webp";

/** A file's content, and what it was found to be. */
export interface EncodedPicture {
  kind: Exclude<PictureKind, "svg">;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A picture without any coding: red, green, blue and opacity of each pixel, row by row. */
export interface Pixels {
  kind: "pixels";
  bytes: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
}

/** Bytes at an offset, as text in which each character is a byte. */
type Mark = [offset: number, bytes: string];

/** What files of a kind begin with. All marks of a line must be there. */
const signatures: [PictureKind, ...Mark[]][] = [
  ["png", [0, "\x89PNG\r\n\x1a\n"]],
  ["jpeg", [0, "\xff\xd8\xff"]],
  ["gif", [0, "GIF87a"]],
  ["gif", [0, "GIF89a"]],
  ["webp", [0, "RIFF"], [8, "WEBP"]],
  ["tiff", [0, "II*\0"]],
  ["tiff", [0, "MM\0*"]],
  ["bmp", [0, "BM"], [6, "\0\0\0\0"]],
];

/** Brands of the ISO container of AV1 pictures; those of other codecs are no use. */
const avifBrands = ["avif", "avis"];

/**
 * The kind of a picture by its first bytes alone: names lie, and a decoder must get only what it is
 * meant for.
 *
 * @returns null for what is no picture
 */
export function kindOf(bytes: Uint8Array): PictureKind | null {
  const start = String.fromCharCode(...bytes.subarray(0, 1024));
  const signature = signatures.find(([, ...marks]) =>
    marks.every(([offset, mark]) => start.startsWith(mark, offset))
  );
  if (signature) return signature[0];
  if (isAvif(start)) return "avif";
  return isSvg(start) ? "svg" : null;
}

/** The brands are listed in the first box: its length, `ftyp`, the main one, a version, others. */
function isAvif(start: string): boolean {
  if (!start.startsWith("ftyp", 4)) return false;
  const end = Math.min(start.charCodeAt(2) * 256 + start.charCodeAt(3), 256);
  for (let offset = 8; offset < end; offset += 4) {
    if (offset !== 12 && avifBrands.includes(start.slice(offset, offset + 4))) return true;
  }
  return false;
}

function isSvg(start: string): boolean {
  const text = start.replace(/^\xef\xbb\xbf/, "").trimStart();
  return text.startsWith("<") && /<(?:[\w.-]+:)?svg[\s>]/i.test(text);
}
