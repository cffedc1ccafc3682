import { decoderOf } from "../../../shared/text_decoder.ts";
import { plainUtf8, type TextFormat } from "./format.ts";

/** Sample size for detecting UTF-16 and UTF-32 without a mark, in bytes. */
const sampleLength = 64 * 1024;

/** A text that is cut is detected from this length on, in bytes. */
const shortest = 16;

/** Control characters that occur in text. */
const controlsOfText = "\\t\\n\\v\\f\\r\\x1b\\x1a\\x08";

const strange = new RegExp(`(?![${controlsOfText}])[\\p{Cc}\\p{Co}\\p{Cn}]`, "u");
const plain = /[ \n\r\p{ASCII}]/gu;

/**
 * Classifies bytes by Unicode alone: text in one of its forms, UTF-8 with some wrong bytes included;
 * or "legacy" for what is text in an older encoding, or none. NUL characters decide nothing: logs
 * have them after a crash.
 */
export function unicodeFormat(bytes: Uint8Array): TextFormat | "legacy" {
  const marked = markedFormat(bytes);
  if (marked) return marked;
  const wide = bytes.includes(0) ? utf32WithoutMark(bytes) ?? utf16WithoutMark(bytes) : null;
  if (wide) return wide;
  if (!isIn("utf-8", bytes)) return isNearlyUtf8(bytes) ? plainUtf8 : "legacy";
  return isIso2022(bytes) ? { encoding: iso2022, hasMark: false } : plainUtf8;
}

/** The encoding of Japanese mail: ASCII alone, with escapes that switch to tables of characters. */
export const iso2022 = "iso-2022-jp";

function isIso2022(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at !== -1; at = bytes.indexOf(0x1b, at + 1)) {
    // ESC $ @ and ESC $ B; escapes that colour a terminal begin with ESC [.
    if (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42)) {
      return isIn(iso2022, bytes);
    }
  }
  return false;
}

/** Whether all of the bytes are valid in an encoding of the platform. */
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

/** Scripts of two bytes a character in UTF-8, by their first byte: Latin, Greek, Cyrillic, … */
const scripts: [first: number, last: number][] = [
  [0xc0, 0xc6],
  [0xcd, 0xcf],
  [0xd0, 0xd3],
  [0xd4, 0xd6],
  [0xd6, 0xd7],
  [0xd8, 0xdd],
];

/** Above this many times the wrong bytes, it does not matter which characters the others are. */
const plainlyMore = 4;

/**
 * Whether bytes are UTF-8 but for some: a text that was cut, a line in another encoding, surrogates
 * (CESU-8), a stray byte. In a legacy encoding few bytes follow each other as in UTF-8 by chance,
 * and those that do are characters of many scripts.
 */
function isNearlyUtf8(bytes: Uint8Array): boolean {
  let [good, bad, longer] = [0, 0, 0];
  const byLead = new Uint32Array(256);
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const wanted = continuationsOf(lead, bytes[at + 1]);
    let found = 0;
    while (found < wanted && isContinuation(bytes[at + 1 + found])) found++;
    const isCut = at + 1 + found >= bytes.length && found > 0;
    if (wanted > 0 && (found === wanted || isCut)) {
      good += found;
      if (wanted === 1) byLead[lead] = (byLead[lead] ?? 0) + 1;
      else longer += found;
    } else if (found > 1) {
      // The first of three bytes or four are hardly chance: "\xf0\x9f\x98" is a cut emoji.
      good += found;
      longer += found;
    }
    if (found < wanted || wanted === 0) bad++;
    at += 1 + found;
  }
  if (good < bad || good === 0) return false;
  if (good >= plainlyMore * bad) return true;
  const most = Math.max(longer, ...scripts.map(([first, last]) => sum(byLead, first, last)));
  return most >= 0.8 * good;
}

/** How many bytes follow a first byte; Java writes NUL as C0 80. */
function continuationsOf(lead: number, next: number | undefined): number {
  if (lead === 0xc0 && next === 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}

function sum(counts: Uint32Array, first: number, last: number): number {
  return counts.subarray(first, last + 1).reduce((total, count) => total + count, 0);
}

function markedFormat(bytes: Uint8Array): TextFormat | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return { encoding: "utf-8", hasMark: true };
  }
  // The mark of UTF-32 begins like that of UTF-16, followed by a NUL character.
  if (first === 0xff && second === 0xfe) {
    const isWide = third === 0 && fourth === 0 && isUtf32Text("utf-32le", bytes.subarray(4));
    return { encoding: isWide ? "utf-32le" : "utf-16le", hasMark: true };
  }
  const isBig = first === 0 && second === 0 && third === 0xfe && fourth === 0xff;
  if (isBig && isUtf32Text("utf-32be", bytes.subarray(4))) {
    return { encoding: "utf-32be", hasMark: true };
  }
  return first === 0xfe && second === 0xff ? { encoding: "utf-16be", hasMark: true } : null;
}

/**
 * Detects UTF-32 without a mark: there may be no character that is not assigned.
 *
 * @returns null when it is not UTF-32
 */
export function utf32WithoutMark(bytes: Uint8Array): TextFormat | null {
  if (bytes.length < 8) return null;
  const encoding = ["utf-32le", "utf-32be"].find((name) => isUtf32Text(name, bytes));
  return encoding === undefined ? null : { encoding, hasMark: false };
}

function isUtf32Text(encoding: string, bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, Math.min(sampleLength, bytes.length - bytes.length % 4));
  const text = decoderOf(encoding).decode(sample);
  return !text.includes("\ufffd") && !strange.test(text);
}

/**
 * Detects UTF-16 without a mark: decoded in both orders, there may be no unassigned or control
 * characters, and more plain characters in the right order than in the wrong one.
 *
 * @returns null when it is not UTF-16
 */
export function utf16WithoutMark(bytes: Uint8Array): TextFormat | null {
  // In a longer text, a last byte alone is what is left of a character that was cut.
  if (bytes.length % 2 !== 0 && bytes.length < shortest) return null;
  const sample = bytes.subarray(0, Math.min(sampleLength, bytes.length - bytes.length % 2));
  if (isAsciiWithNuls(sample)) return null;
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

/** The wrong halves of a surrogate pair that UTF-16 may have, as one in this many characters. */
const charactersPerWrong = 500;

function plainCharacters(encoding: string, sample: Uint8Array): number {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(sample);
  if (strange.test(text)) return 0;
  // The sample may end within a surrogate pair.
  const wrong = text.slice(0, -1).match(/\ufffd/g)?.length ?? 0;
  if (wrong * charactersPerWrong > text.length) return 0;
  return text.match(plain)?.length ?? 0;
}
