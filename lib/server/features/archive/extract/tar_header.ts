import { decodeName } from "../../../../shared/entry_names.ts";
import { blockSize } from "../tar/header.ts";
import { brokenArchiveError, type Bytes } from "./archived_entry.ts";

/** A header of an entry or of more facts about the next one. */
export interface Header {
  path: Bytes;
  size: number;
  modified: number;
  mode: number;
  type: string;
  /** Where a link leads. */
  link: Bytes;
  /** All of it. */
  block: Bytes;
}

/**
 * Reads the header of an entry (v7, ustar, GNU).
 *
 * @returns null for the end of the archive: a block of zeros
 * @throws {DomainError} `broken_archive`
 */
export function readHeader(block: Bytes): Header | null {
  let sum = 0;
  for (let at = 0; at < blockSize; at++) sum += at >= 148 && at < 156 ? 0x20 : block[at] ?? 0;
  if (sum === 8 * 0x20 && block.every((byte) => byte === 0)) return null;
  if (readNumber(block, 148, 8) !== sum) throw brokenArchiveError("a header in it is damaged");
  const name = textOf(block.subarray(0, 100));
  const isUstar = decodeName(block.subarray(257, 263)) === "ustar\0";
  const prefix = isUstar ? textOf(block.subarray(345, 500)) : new Uint8Array(0);
  const path = prefix.length === 0 ? name : new Uint8Array([...prefix, 0x2f, ...name]);
  return {
    path,
    size: readNumber(block, 124, 12),
    modified: readNumber(block, 136, 12),
    mode: readNumber(block, 100, 8),
    link: textOf(block.subarray(157, 257)),
    type: String.fromCharCode(block[156] || 0x30),
    block,
  };
}

/** The bytes before a NUL. */
export function textOf(field: Bytes): Bytes {
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
}

/** A number in octal digits, or of GNU in base 256 with its first bit set. */
export function readNumber(block: Bytes, at: number, length: number): number {
  const field = block.subarray(at, at + length);
  const [first = 0] = field;
  if (first & 0x80) {
    const isNegative = (first & 0x40) !== 0;
    const start = isNegative ? first - 0x100 : first & 0x3f;
    return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, start);
  }
  const digits = decodeName(textOf(field)).trim();
  if (digits === "") return 0;
  return /^[0-7]+$/.test(digits) ? parseInt(digits, 8) : NaN;
}
