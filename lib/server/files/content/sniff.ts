import { utf16WithoutMark } from "../../text/unicode.ts";
import type { FileType } from "./type_table.ts";

/** How many bytes {@link typeOfBytes} wants to see. */
export const sniffLength = 512;

/** Bytes at an offset, as text in which each character is a byte. */
type Mark = [offset: number, bytes: string];

/** What files of a kind begin with. All marks of a line must be there. */
const signatures: [FileType, ...Mark[]][] = [
  ["pdf", [0, "%PDF-"]],
  ["image", [0, "\x89PNG\r\n\x1a\n"]],
  ["image", [0, "\xff\xd8\xff"]],
  ["image", [0, "GIF87a"]],
  ["image", [0, "GIF89a"]],
  ["image", [0, "RIFF"], [8, "WEBP"]],
  ["image", [0, "BM"], [6, "\0\0\0\0"]],
  ["image", [0, "II*\0"]],
  ["image", [0, "MM\0*"]],
  ["image", [0, "\xff\x0a"]],
  ["image", [0, "\0\0\0\x0cJXL "]],
  ["image", [4, "ftypavif"]],
  ["image", [4, "ftypheic"]],
  ["image", [4, "ftypheix"]],
  ["image", [4, "ftypmif1"]],
  ["audio", [4, "ftypM4A "]],
  ["audio", [0, "ID3"]],
  ["audio", [0, "\xff\xfb"]],
  ["audio", [0, "\xff\xf1"]],
  ["audio", [0, "fLaC"]],
  ["audio", [0, "MThd"]],
  ["audio", [0, "RIFF"], [8, "WAVE"]],
  ["audio", [0, "FORM"], [8, "AIFF"]],
  ["audio", [0, "OggS"], [28, "OpusHead"]],
  ["audio", [0, "OggS"], [28, "\x01vorbis"]],
  ["video", [0, "OggS"]],
  ["video", [4, "ftyp"]],
  ["video", [4, "moov"]],
  ["video", [0, "\x1a\x45\xdf\xa3"]],
  ["video", [0, "RIFF"], [8, "AVI "]],
  ["video", [0, "FLV\x01"]],
  ["video", [0, "\0\0\x01\xba"]],
  ["video", [0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"]],
  ["video", [0, "G"], [188, "G"], [376, "G"]],
  ["blob", [0, "PK\x03\x04"]],
  ["blob", [0, "\x1f\x8b"]],
  ["blob", [0, "\x7fELF"]],
];

/**
 * The type of a file by its first 512 bytes: a known signature; or text, when there are no control
 * characters that text does not have, in UTF-16 or any encoding that begins with ASCII; or else a
 * blob. An empty file is text.
 */
export function typeOfBytes(bytes: Uint8Array): FileType {
  const signature = signatures.find(([, ...marks]) => marks.every((mark) => hasMark(bytes, mark)));
  if (signature) return signature[0];
  return isText(bytes) ? "text" : "blob";
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
