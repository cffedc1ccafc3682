import { encoderOf } from "./encode.ts";
import { encodingOf, type LineEnding, lineEndingOf, markOf, type TextFormat } from "./format.ts";
import { guessEncoding, maxSampleBytes } from "./code_page.ts";
import { decodeStrictly, isIn, iso2022, unicodeFormat } from "./unicode.ts";
import { decoderOf, isDosPage, isUtf32 } from "../../../shared/text_decoder.ts";
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
 * Decodes bytes as text in any encoding, with NUL characters and some wrong bytes, too; that is not
 * exact. Bytes that resemble no text in any encoding are binary.
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
  const text = decoderOf(encoding).decode(bytes);
  const hasNuls = text.includes("\0");
  if (hasNuls && !isReadable(text, legacyPerNul)) return null;
  if (pauses.isDue) await pauses.pause();
  const isExact = !hasNuls && !isDosPage(encoding) &&
    await comesBack(text, encoding, bytes, pauses);
  const format = { encoding, hasMark: false };
  return { text, format, lineEnding: lineEndingOf(text), isExact };
}

/** The part of {@link readText} that guesses nothing and takes little time. */
export function readUnicode(bytes: Uint8Array): ReadText | "legacy" | null {
  const format = unicodeFormat(bytes);
  if (format === "legacy") return "legacy";
  const { encoding, hasMark } = format;
  const content = hasMark ? bytes.subarray(markOf(encoding).length) : bytes;
  const strictly = isUtf32(encoding) ? null : decodeStrictly(encoding, content);
  const text = strictly ?? decoderOf(encoding).decode(content);
  const isExact = strictly !== null && !text.includes("\0") && encoding !== iso2022;
  if (!isExact && !isReadable(text)) return null;
  return { text, format, lineEnding: lineEndingOf(text), isExact };
}

/** The format of a text by some of its bytes, as {@link readText} finds it; null for none. */
export async function formatOfSample(bytes: Uint8Array): Promise<TextFormat | null> {
  const read = readUnicode(bytes);
  if (read !== "legacy") return read?.format ?? null;
  detect ??= await loadDetector();
  const encoding = legacyEncoding(bytes, detect);
  const isText = encoding !== null &&
    isReadable(decoderOf(encoding).decode(bytes), legacyPerNul);
  return isText ? { encoding, hasMark: false } : null;
}

/** Text has at most one control character in this many. */
const charactersPerControl = 100;

/** It has at most one run of NUL in this many characters; in more where they are not Unicode. */
const charactersPerNul = 8;
const legacyPerNul = 16;

/**
 * Whether a text with NUL characters or wrong bytes is one that people can read. A log has long runs
 * of NUL after a crash, or when it was cut while it was written.
 */
function isReadable(text: string, perNul = charactersPerNul): boolean {
  let [nuls, runs, controls] = [0, 0, 0];
  for (let index = 0, last = 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0) {
      nuls++;
      if (last !== 0) runs++;
    } else if (isControl(code)) controls++;
    last = code;
  }
  const shown = text.length - nuls;
  return runs * perNul <= shown && controls * charactersPerControl <= shown;
}

/** Whether a byte or character is a control character that text does not have. */
function isControl(code: number): boolean {
  const isOfText = (code >= 0x08 && code <= 0x0d) || code === 0x1a || code === 0x1b;
  return (code < 0x20 && !isOfText) || code === 0x7f;
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

/** Those whose characters have several bytes. */
const multibyte = new Set(["big5", "shift_jis", "euc-jp", "euc-kr", "gb18030"]);

/** In this encoding every byte is a character. */
const fallback = "windows-1252";

/** Preference among encodings that decode the bytes to the same text. */
const usual = ["windows-1252", "windows-1250", "windows-1251"];

/** The encoding detector; its model takes tens of megabytes, so it is loaded on demand. */
export type Detect = typeof detectAll;

/** Loads the detector of encodings. */
export async function loadDetector(): Promise<Detect> {
  return (await import("jschardet")).detectAll;
}

/** One wrong byte in this many beyond ASCII is permitted, as in UTF-8. */
const bytesPerWrong = 100;

/**
 * Guesses the encoding of bytes that are not Unicode, by the frequency of letters and pairs of them
 * in the world's languages. Few of the bytes are invalid in the result.
 *
 * @returns null when they resemble no text
 */
function legacyEncoding(bytes: Uint8Array, detect: Detect): string | null {
  if (isOfMainframe(bytes.subarray(0, sampleLength))) return "cp037";
  const sample = tellingLines(bytes);
  if (looksBinary(sample)) return null;
  if (isPicture(sample)) return "cp437";
  const name = namesOf(detect, sample).find((name) => fits(name, bytes)) ?? fallback;
  // Where each character has several bytes, it is no chance that all of them are valid.
  const isSure = multibyte.has(name) && isIn(name, bytes);
  const usually = mostFrequent(partsOf(sample).map((part) => namesOf(detect, part)[0]));
  // The detector gives up on an encoding at its first wrong byte, which one line has.
  const isLikelier = usually !== undefined && (!isSure || multibyte.has(usually)) &&
    !isIn(usually, bytes) && fits(usually, bytes);
  if (isLikelier) return usually;
  const latin = isWestern(name, sample) ? fallback : usualNameFor(name, bytes);
  if (multibyte.has(latin)) return latin;
  return isOfMac(bytes, sample, detect) ? "macintosh" : olderEncoding(latin, sample, detect);
}

/** Encodings of one byte a character with other letters than Latin ones. */
const otherScripts = new Set([
  ...["ibm866", "iso-8859-5", "koi8-r", "koi8-u", "windows-1251", "windows-1253", "iso-8859-7"],
  ...["windows-1255", "iso-8859-8", "windows-1256", "windows-874"],
]);

/** Fewer letters without others beside them are chance. */
const letterCount = 4;

/**
 * Whether a few characters beyond ASCII are those of Western Europe, of which the detector learns too
 * little: a sign by itself ("10 €"), or a letter in a word of ASCII ("CAFÉ", not "CAFة").
 *
 * @param guess what the detector takes them for
 */
function isWestern(guess: string, sample: Uint8Array): boolean {
  if (multibyte.has(guess)) return false;
  const text = decoderOf(fallback).decode(sample);
  const runs = [...text.matchAll(/([A-Za-z]?)([\u0080-\uffff]+)([A-Za-z]?)/g)];
  if (runs.some(([, , run = ""]) => /[\u0080-\u009f]/.test(run))) return false;
  const isSign = (run: string) => run.length === 1 && !/[\p{L}\p{M}]/u.test(run);
  const isAlone = ([, before, run = "", after]: RegExpExecArray) =>
    isSign(run) && before === "" && after === "";
  if (!otherScripts.has(guess)) return guess !== fallback && runs.every(isAlone);
  const isShort = runs.length < letterCount && runs.every(([, , run = ""]) => run.length === 1);
  return isShort ||
    runs.every(([, before, run = "", after]) => isSign(run) || before !== "" || after !== "");
}

/** The share of letters, digits and spaces, and that of spaces alone, of a text of a mainframe. */
const lettersOfMainframe = 0.85;
const spacesOfMainframe = 0.08;

/** Whether bytes are EBCDIC: its letters, digits and spaces, without a space of ASCII. */
function isOfMainframe(sample: Uint8Array): boolean {
  let [spaces, letters] = [0, 0];
  for (const byte of sample) {
    if (byte === 0x20) return false;
    if (byte === 0x40) spaces++;
    else if (byte >= 0x81 && byte <= 0xf9 && (byte & 15) <= 9) letters++;
  }
  return letters > spaces && spaces >= spacesOfMainframe * sample.length &&
    spaces + letters >= lettersOfMainframe * sample.length;
}

/** Whether a text is one of an old Mac: such texts end their lines by CR alone. */
function isOfMac(bytes: Uint8Array, sample: Uint8Array, detect: Detect): boolean {
  if (bytes.includes(0x0a) || !bytes.includes(0x0d)) return false;
  const lines = sample.subarray(0, maxSampleBytes).map((byte) => byte === 0x0d ? 0x0a : byte);
  return guessEncoding(linesOf(lines), detect, fallback) === "macintosh";
}

/** Controls beyond ASCII, which no text has: as many among other characters tell of another encoding. */
const charactersPerOddControl = 20;

/** Letters of Turkish that are others in the encoding of Western Europe, and those it never has. */
const turkish = /[\u00d0\u00dd\u00de\u00f0\u00fd\u00fe]/;
const otherThanTurkish = /[\u00c1\u00c6\u00cd\u00d3\u00da\u00e1\u00e6\u00ed\u00f3\u00fa]/;

/** Whether bytes are pictures of blocks and frames, which letters never repeat like. */
function isPicture(sample: Uint8Array): boolean {
  let [beyond, repeated] = [0, 0];
  for (const [at, byte] of sample.entries()) {
    if (byte >= 0x80) beyond++;
    if (byte >= 0xb0 && byte < 0xe0 && byte === sample[at - 1]) repeated++;
  }
  return repeated * 3 > beyond;
}

/**
 * The encoding of a text of the DOS and old Macs, which all others turn into control characters.
 *
 * @param encoding found so far
 * @returns null when it is no text
 */
function olderEncoding(encoding: string, sample: Uint8Array, detect: Detect): string | null {
  const text = decoderOf(encoding).decode(sample);
  if (encoding === "windows-1252" && turkish.test(text) && !otherThanTurkish.test(text)) {
    return "windows-1254";
  }
  const controls = text.match(/[\u0080-\u009f]/g)?.length ?? 0;
  const beyond = text.match(/[\u0080-\uffff]/g)?.length ?? 0;
  if (controls * charactersPerOddControl <= beyond) return encoding;
  const spaces = sample.filter((byte) => byte === 0x20 || byte === 0x0a).length;
  // Long bytes without words are none of a text.
  if (sample.length > 256 && spaces * 200 < sample.length) return null;
  return guessEncoding(linesOf(sample.subarray(0, maxSampleBytes)), detect, encoding);
}

function linesOf(sample: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < sample.length;) {
    const newline = sample.indexOf(0x0a, start);
    const end = newline === -1 ? sample.length : newline + 1;
    lines.push(sample.subarray(start, end));
    start = end;
  }
  return lines;
}

/** The encodings that bytes may have, the likeliest first. */
function namesOf(detect: Detect, sample: Uint8Array): string[] {
  const guesses = detect(sample, {
    detectEncodings: Object.keys(considered),
    minimumThreshold: 0,
  });
  return guesses
    .map(({ encoding }) => considered[encoding?.toLowerCase() ?? ""] ?? encodingOf(encoding ?? ""))
    .filter((name) => name !== null)
    .filter((name) => name !== "utf-8");
}

/** The number of parts of which each is judged by itself. */
const partCount = 8;

/** Parts of whole lines, as long as each other; none of a text with few lines. */
function partsOf(sample: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < sample.length;) {
    const newline = sample.indexOf(0x0a, start + Math.floor(sample.length / partCount));
    const end = newline === -1 ? sample.length : newline + 1;
    parts.push(sample.subarray(start, end));
    start = end;
  }
  return parts.length < 3 ? [] : parts;
}

/** The value of more than half of all; undefined without one. */
function mostFrequent<T>(values: readonly T[]): T | undefined {
  const counts = Map.groupBy(values, (value) => value);
  for (const [value, { length }] of counts) if (length * 2 > values.length) return value;
}

/** Whether bytes are valid in an encoding, but for a few and a character cut at the end. */
function fits(encoding: string, bytes: Uint8Array): boolean {
  if (isIn(encoding, bytes)) return true;
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  let wrong = text.endsWith("\ufffd") ? -1 : 0;
  for (let at = text.indexOf("\ufffd"); at !== -1; at = text.indexOf("\ufffd", at + 1)) wrong++;
  let beyondAscii = 0;
  for (const byte of bytes) if (byte >= 0x80) beyondAscii++;
  return Math.max(1, wrong) * bytesPerWrong <= beyondAscii;
}

/** Several encodings may give the same short text: choose the one that likely fits later edits. */
function usualNameFor(guess: string, bytes: Uint8Array): string {
  const text = decodeStrictly(guess, bytes);
  return usual.find((name) => text !== null && decodeStrictly(name, bytes) === text) ?? guess;
}

/** The lines with non-ASCII bytes, without NUL, up to the length of a sample. */
function tellingLines(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(bytes.length, sampleLength));
  let filled = 0;
  for (let start = 0; start < bytes.length && filled < sample.length;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    const line = bytes.subarray(start, Math.min(end, start + sample.length - filled));
    if (line.some((byte) => byte >= 0x80)) {
      for (const byte of line) if (byte !== 0) sample[filled++] = byte;
    }
    start = end;
  }
  return sample.subarray(0, filled);
}

function looksBinary(sample: Uint8Array): boolean {
  let controls = 0;
  for (const byte of sample) if (isControl(byte)) controls++;
  return controls * charactersPerControl > sample.length;
}
