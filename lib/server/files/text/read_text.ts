import { encoderOf } from "./encode.ts";
import { type LineEnding, lineEndingOf, markOf, type TextFormat } from "./format.ts";
import { type Detect, legacyEncoding, loadDetector } from "./legacy.ts";
import { decodeStrictly, unicodeFormat } from "./unicode.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";

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
