import { utf16WithoutMark } from "../text/unicode.ts";
import type { FileType } from "./type_table.ts";

/** Number of bytes that {@link typeOfBytes} needs. */
export const sniffLength = 512;

/** Expected bytes at an offset, as text in which each character is a byte. */
type Mark = [offset: number, bytes: string];

/** Distinguished picture formats. */
export type PictureFormat = "bmp" | "gif" | "jpeg" | "png" | "tiff" | "webp";

/** Signatures of file types. All marks of a line must match. */
const signatures: [FileType, PictureFormat | null, ...Mark[]][] = [
  ["pdf", null, [0, "%PDF-"]],
  ["image", "png", [0, "\x89PNG\r\n\x1a\n"]],
  ["image", "jpeg", [0, "\xff\xd8\xff"]],
  ["image", "gif", [0, "GIF87a"]],
  ["image", "gif", [0, "GIF89a"]],
  ["image", "webp", [0, "RIFF"], [8, "WEBP"]],
  ["image", "bmp", [0, "BM"], [6, "\0\0\0\0"]],
  ["image", "tiff", [0, "II*\0"]],
  ["image", "tiff", [0, "MM\0*"]],
  ["image", null, [0, "\xff\x0a"]],
  ["image", null, [0, "\0\0\0\x0cJXL "]],
  ["image", null, [4, "ftypavif"]],
  ["image", null, [4, "ftypheic"]],
  ["image", null, [4, "ftypheix"]],
  ["image", null, [4, "ftypmif1"]],
  ["audio", null, [4, "ftypM4A "]],
  ["audio", null, [0, "ID3"]],
  ["audio", null, [0, "\xff\xfb"]],
  ["audio", null, [0, "\xff\xf1"]],
  ["audio", null, [0, "fLaC"]],
  ["audio", null, [0, "MThd"]],
  ["audio", null, [0, "RIFF"], [8, "WAVE"]],
  ["audio", null, [0, "FORM"], [8, "AIFF"]],
  ["audio", null, [0, "OggS"], [28, "OpusHead"]],
  ["audio", null, [0, "OggS"], [28, "\x01vorbis"]],
  ["video", null, [0, "OggS"]],
  ["video", null, [4, "ftyp"]],
  ["video", null, [4, "moov"]],
  ["video", null, [0, "\x1a\x45\xdf\xa3"]],
  ["video", null, [0, "RIFF"], [8, "AVI "]],
  ["video", null, [0, "FLV\x01"]],
  ["video", null, [0, "\0\0\x01\xba"]],
  ["video", null, [0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"]],
  ["video", null, [0, "G"], [188, "G"], [376, "G"]],
  ["blob", null, [0, "PK\x03\x04"]],
  ["blob", null, [0, "\x1f\x8b"]],
  ["blob", null, [0, "\x7fELF"]],
];

/**
 * The type of a file by its first 512 bytes: a known signature; or text, when it has only control
 * characters that occur in text, in UTF-16 or any superset of ASCII; otherwise a blob. An empty
 * file is text.
 */
export function typeOfBytes(bytes: Uint8Array): FileType {
  return signatureOf(bytes)?.[0] ?? (isText(bytes) ? "text" : "blob");
}

/** The format of a picture by its first bytes; null for other formats and other files. */
export function pictureFormatOf(bytes: Uint8Array): PictureFormat | null {
  return signatureOf(bytes)?.[1] ?? null;
}

function signatureOf(bytes: Uint8Array) {
  return signatures.find(([, , ...marks]) => marks.every((mark) => hasMark(bytes, mark)));
}

function hasMark(bytes: Uint8Array, [offset, mark]: Mark): boolean {
  if (bytes.length < offset + mark.length) return false;
  for (let index = 0; index < mark.length; index++) {
    if (bytes[offset + index] !== mark.charCodeAt(index)) return false;
  }
  return true;
}

function isText(bytes: Uint8Array): boolean {
  if (hasMark(bytes, [0, "\xff\xfe"]) || hasMark(bytes, [0, "\xfe\xff"])) return true;
  const hasControls = bytes.some((byte) =>
    byte === 0x7f || (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b)
  );
  return !hasControls || utf16WithoutMark(bytes) !== null;
}
