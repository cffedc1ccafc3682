import { plainUtf8, type TextFormat } from "./format.ts";

/** How many bytes are looked at for UTF-16 without a mark. */
const sampleLength = 64 * 1024;

/** Characters that text may hold though they are control characters. */
const controlsOfText = "\\t\\n\\v\\f\\r\\x1b\\x1a\\x08";

const strange = new RegExp(`(?![${controlsOfText}])[\\p{Cc}\\p{Co}\\p{Cn}]`, "u");
const plain = /[ \n\r\p{ASCII}]/gu;

/**
 * What bytes are by the rules of Unicode alone: text in one of its forms; "legacy" for text in some
 * older encoding, as far as can be seen; or "binary" when there are NUL bytes that no UTF-16 explains.
 */
export function unicodeFormat(bytes: Uint8Array): TextFormat | "legacy" | "binary" {
  const marked = markedFormat(bytes);
  if (marked) return marked;
  if (bytes.includes(0)) return utf16WithoutMark(bytes) ?? "binary";
  return isIn("utf-8", bytes) ? plainUtf8 : "legacy";
}

/** Whether all of the bytes make sense in an encoding. */
export function isIn(encoding: string, bytes: Uint8Array): boolean {
  return decodeStrictly(encoding, bytes) !== null;
}

/** The text of bytes; null when they are not in the encoding. A mark counts as a character. */
export function decodeStrictly(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function markedFormat([first, second, third, fourth]: Uint8Array): TextFormat | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return { encoding: "utf-8", hasMark: true };
  }
  // The mark of UTF-32 begins like that of UTF-16, and is followed by a NUL character.
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) {
    return { encoding: "utf-16le", hasMark: true };
  }
  return first === 0xfe && second === 0xff ? { encoding: "utf-16be", hasMark: true } : null;
}

/**
 * UTF-16 that does not say so: read in both orders, no unassigned or control characters may come
 * out, and more plain characters in the right order than in the wrong one.
 *
 * @returns null for what is none
 */
export function utf16WithoutMark(bytes: Uint8Array): TextFormat | null {
  const sample = bytes.subarray(0, sampleLength);
  if (bytes.length % 2 !== 0 || isAsciiWithNuls(sample)) return null;
  const little = plainCharacters("utf-16le", sample);
  const big = plainCharacters("utf-16be", sample);
  if (Math.max(little, big) === 0) return null;
  return { encoding: little >= big ? "utf-16le" : "utf-16be", hasMark: false };
}

/**
 * Two letters of ASCII make one good Chinese character. In UTF-16, though, ASCII is half NUL bytes,
 * and the bytes of other scripts are anything.
 */
function isAsciiWithNuls(sample: Uint8Array): boolean {
  let nuls = 0;
  let printable = 0;
  for (const byte of sample) {
    if (byte === 0) nuls++;
    if (byte >= 0x20 && byte <= 0x7e) printable++;
  }
  return nuls < 0.4 * sample.length && printable > 0.8 * (sample.length - nuls);
}

function plainCharacters(encoding: string, sample: Uint8Array): number {
  // The sample may end in the middle of a character that takes two units.
  const text = decodeStrictly(encoding, sample) ?? decodeStrictly(encoding, sample.slice(0, -2));
  if (text === null || strange.test(text)) return 0;
  return text.match(plain)?.length ?? 0;
}
