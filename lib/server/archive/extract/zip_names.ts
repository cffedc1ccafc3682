import { crc32 } from "node:zlib";
import type yauzl from "yauzl";
import { decodeName } from "../../../shared/entry_names.ts";
import type { Bytes } from "./archived_entry.ts";

/** The bit of an entry's flags that says that its name is in UTF-8. */
const isUtf8 = 0x800;

/** The systems that an entry may be made on. */
const unix = 3;
const mac = 19;

/** The extra field that holds a name in UTF-8 (Info-ZIP). */
const unicodePath = 0x7075;

/**
 * The path of an entry. Without the flag for UTF-8 it is in the code page of the IBM PC by the
 * standard, but programs on Unix write UTF-8 all the same.
 */
export function pathOf(
  { fileNameRaw, generalPurposeBitFlag, versionMadeBy, extraFields }: yauzl.Entry,
) {
  const bytes = new Uint8Array(fileNameRaw);
  const text = nameIn(extraFields, bytes) ??
    (generalPurposeBitFlag & isUtf8 || isWellFormed(bytes) || isFromUnix(versionMadeBy)
      ? decodeName(bytes)
      : fromCp437(bytes));
  // Some programs on Windows write their own separators.
  return text.replaceAll("\\", "/");
}

/** The name in an extra field, if that is of the present name. */
function nameIn(fields: yauzl.ExtraField[], bytes: Bytes): string | undefined {
  const data = fields.find(({ id }) => id === unicodePath)?.data;
  if (!data || data.length < 6 || data[0] !== 1 || data.readUInt32LE(1) !== crc32(bytes)) return;
  return decodeName(new Uint8Array(data.subarray(5)));
}

function isWellFormed(bytes: Bytes): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Whether an entry was made on a system that tells the kinds of entries. */
export function isFromUnix(versionMadeBy: number): boolean {
  return [unix, mac].includes(versionMadeBy >> 8);
}

/** The characters from 0x80 on of the code page of the IBM PC, in which old zips spell names. */
const upper =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥" +
  "╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** Decodes a name in the code page 437. */
export function fromCp437(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80])
    .join("");
}
