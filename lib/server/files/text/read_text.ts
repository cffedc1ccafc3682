import { encoderOf } from "./encode.ts";
import { encodingOf, type LineEnding, lineEndingOf, markOf, type TextFormat } from "./format.ts";
import { decodeStrictly, isIn, unicodeFormat } from "./unicode.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import type { detectAll } from "jschardet";

/** Decoded text. */
export interface ReadText {
  /** Without a byte order mark. */
  text: string;
  format: TextFormat;
  lineEnding: LineEnding;
  /** Encoding the text in the same format gives the same bytes: it can be edited without loss. */
  isExact: boolean;
}

let detect: Detect | null = null;

/** Characters checked between two pauses. */
const stride = 256 * 1024;

/**
 * Decodes bytes as text in any encoding. Bytes with NUL characters, or that resemble no text in any
 * encoding, are binary.
 *
 * @returns null for binary bytes
 */
export async function readText(bytes: Uint8Array, pauses: Pauses): Promise<ReadText | null> {
  const read = readUnicode(bytes);
  if (read !== "legacy") return read;
  detect ??= await loadDetector();
  const encoding = detect && legacyEncoding(bytes, detect);
  if (encoding === null) return null;
  if (pauses.isDue) await pauses.pause();
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  if (pauses.isDue) await pauses.pause();
  const isExact = await comesBack(text, encoding, bytes, pauses);
  const format = { encoding, hasMark: false };
  return { text, format, lineEnding: lineEndingOf(text), isExact };
}

/** The part of {@link readText} that guesses nothing and takes little time. */
export function readUnicode(bytes: Uint8Array): ReadText | "legacy" | null {
  const format = unicodeFormat(bytes);
  if (format === "legacy") return "legacy";
  if (format === "binary") return null;
  const { encoding, hasMark } = format;
  const content = hasMark ? bytes.subarray(markOf(encoding).length) : bytes;
  const strictly = decodeStrictly(encoding, content);
  const text = strictly ?? new TextDecoder(encoding, { ignoreBOM: true }).decode(content);
  if (text.includes("\0")) return null;
  return { text, format, lineEnding: lineEndingOf(text), isExact: strictly !== null };
}

async function comesBack(
  text: string,
  encoding: string,
  bytes: Uint8Array,
  pauses: Pauses,
): Promise<boolean> {
  const encode = encoderOf(encoding, "Cannot compare");
  let offset = 0;
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + stride);
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end++;
    const again = tryToEncode(encode, text.slice(start, end));
    if (again === null || !isPartOf(bytes, again, offset)) return false;
    offset += again.length;
    start = end;
    if (pauses.isDue) await pauses.pause();
  }
  return offset === bytes.length;
}

function tryToEncode(encode: (text: string) => Uint8Array, text: string): Uint8Array | null {
  try {
    return encode(text);
  } catch {
    return null;
  }
}

function isPartOf(bytes: Uint8Array, part: Uint8Array, offset: number): boolean {
  return part.every((byte, index) => bytes[offset + index] === byte);
}

/** Sample size, in bytes. */
const sampleLength = 64 * 1024;

/** Text has at most one control character in this many bytes. */
const bytesPerControl = 100;

/**
 * Considered encodings, by the detector's names, with the platform's name where it differs.
 * Considering all hundred encodings makes mistakes more likely.
 */
const considered: Record<string, string> = {
  "big5": "big5",
  "big5hkscs": "big5",
  "cp866": "ibm866",
  "cp874": "windows-874",
  "cp932": "shift_jis",
  "cp949": "euc-kr",
  "euc-jis-2004": "euc-jp",
  "euc-jp": "euc-jp",
  "euc-kr": "euc-kr",
  "gb18030": "gb18030",
  "iso-8859-2": "iso-8859-2",
  "iso-8859-5": "iso-8859-5",
  "iso-8859-7": "iso-8859-7",
  "iso-8859-8": "iso-8859-8",
  "iso-8859-9": "windows-1254",
  "iso-8859-15": "iso-8859-15",
  "koi8-r": "koi8-r",
  "koi8-u": "koi8-u",
  "shift_jis": "shift_jis",
  "windows-1250": "windows-1250",
  "windows-1251": "windows-1251",
  "windows-1252": "windows-1252",
  "windows-1253": "windows-1253",
  "windows-1254": "windows-1254",
  "windows-1255": "windows-1255",
  "windows-1256": "windows-1256",
  "windows-1257": "windows-1257",
  "windows-1258": "windows-1258",
};

/** In this encoding every byte is a character. */
const fallback = "windows-1252";

/** Preference among encodings that decode the bytes to the same text. */
const usual = ["windows-1252", "windows-1250", "windows-1251"];

/** The encoding detector; its model takes tens of megabytes, so it is loaded on demand. */
export type Detect = typeof detectAll;

/** Loads the detector of {@link legacyEncoding}. */
export async function loadDetector(): Promise<Detect> {
  return (await import("jschardet")).detectAll;
}

/**
 * Guesses the encoding of bytes that are not Unicode, by the frequency of letters and pairs of them
 * in the world's languages. All the bytes are valid in the result.
 *
 * @returns null when they resemble no text
 */
export function legacyEncoding(bytes: Uint8Array, detect: Detect): string | null {
  const sample = tellingLines(bytes);
  if (looksBinary(sample)) return null;
  const guesses = detect(sample, {
    detectEncodings: Object.keys(considered),
    minimumThreshold: 0,
  });
  for (const { encoding } of guesses) {
    const name = considered[encoding?.toLowerCase() ?? ""] ?? encodingOf(encoding ?? "");
    if (name !== null && name !== "utf-8" && isIn(name, bytes)) return usualNameFor(name, bytes);
  }
  return fallback;
}

/** Several encodings may give the same short text: choose the one that likely fits later edits. */
function usualNameFor(guess: string, bytes: Uint8Array): string {
  const text = decodeStrictly(guess, bytes);
  return usual.find((name) => decodeStrictly(name, bytes) === text) ?? guess;
}

/** The lines with non-ASCII bytes, up to the length of a sample. */
function tellingLines(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(bytes.length, sampleLength));
  let filled = 0;
  for (let start = 0; start < bytes.length && filled < sample.length;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    const line = bytes.subarray(start, Math.min(end, start + sample.length - filled));
    if (line.some((byte) => byte >= 0x80)) {
      sample.set(line, filled);
      filled += line.length;
    }
    start = end;
  }
  return sample.subarray(0, filled);
}

function looksBinary(sample: Uint8Array): boolean {
  let controls = 0;
  for (const byte of sample) {
    const isOfText = (byte >= 0x08 && byte <= 0x0d) || byte === 0x1a || byte === 0x1b;
    if ((byte < 0x20 && !isOfText) || byte === 0x7f) controls++;
  }
  return controls * bytesPerControl > sample.length;
}
