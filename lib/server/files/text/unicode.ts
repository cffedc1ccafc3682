import { plainUtf8, type TextFormat } from "./format.ts";

/** Sample size for detecting UTF-16 without a mark, in bytes. */
const sampleLength = 64 * 1024;

/** Control characters that occur in text. */
const controlsOfText = "\\t\\n\\v\\f\\r\\x1b\\x1a\\x08";

const strange = new RegExp(`(?![${controlsOfText}])[\\p{Cc}\\p{Co}\\p{Cn}]`, "u");
const plain = /[ \n\r\p{ASCII}]/gu;

/**
 * Classifies bytes by Unicode alone: text in one of its forms; "legacy" for likely text in an older
 * encoding; or "binary" for NUL bytes that are not UTF-16.
 */
export function unicodeFormat(bytes: Uint8Array): TextFormat | "legacy" | "binary" {
  const marked = markedFormat(bytes);
  if (marked) return marked;
  if (bytes.includes(0)) return utf16WithoutMark(bytes) ?? "binary";
  return isIn("utf-8", bytes) ? plainUtf8 : "legacy";
}

/** Whether all of the bytes are valid in an encoding. */
export function isIn(encoding: string, bytes: Uint8Array): boolean {
  return decodeStrictly(encoding, bytes) !== null;
}

/** Decodes bytes; null when invalid in the encoding. A mark counts as a character. */
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
  // The mark of UTF-32 begins like that of UTF-16, followed by a NUL character.
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) {
    return { encoding: "utf-16le", hasMark: true };
  }
  return first === 0xfe && second === 0xff ? { encoding: "utf-16be", hasMark: true } : null;
}

/**
 * Detects UTF-16 without a mark: decoded in both orders, there may be no unassigned or control
 * characters, and more plain characters in the right order than in the wrong one.
 *
 * @returns null when it is not UTF-16
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
 * Two ASCII letters make one valid Chinese character. In UTF-16, however, ASCII is half NUL bytes,
 * and other scripts' bytes vary.
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
  // The sample may end within a surrogate pair.
  const text = decodeStrictly(encoding, sample) ?? decodeStrictly(encoding, sample.slice(0, -2));
  if (text === null || strange.test(text)) return 0;
  return text.match(plain)?.length ?? 0;
}
