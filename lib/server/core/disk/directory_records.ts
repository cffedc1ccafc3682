import { Buffer } from "node:buffer";
import type { DirectoryEntry, EntryKind } from "./facts.ts";
import { decodeName } from "../../../shared/entry_names.ts";

/**
 * A text that every wanted name holds, as bytes. It lets a disk leave out other names without
 * decoding them: in a search that is nearly all of them.
 */
export interface Needle {
  readonly lower: Uint8Array;
  /** With ASCII letters in upper case; the same as `lower` where case matters. */
  readonly upper: Uint8Array;
}

/** Prepares a needle. @param text not empty; in lower case where case is ignored */
export function needleOf(text: string, ignoresCase: boolean): Needle {
  const lower = new TextEncoder().encode(text);
  const isLetter = (byte: number) => byte >= 0x61 && byte <= 0x7a;
  const upper = lower.map((byte) => ignoresCase && isLetter(byte) ? byte - 0x20 : byte);
  return { lower, upper };
}

const kindByType: Record<number, EntryKind> = {
  1: "other", // pipe
  2: "other", // character device
  4: "folder",
  6: "other", // block device
  8: "file",
  10: "link",
  12: "other", // socket
};

const dot = 0x2e;

/**
 * Decodes the records of getdents64(2), without "." and "..": inode 8 bytes, offset 8, length of
 * the record 2, type 1, name, NUL.
 *
 * @param into receives the entries
 * @param kindOf tells the kind of an entry for file systems that do not record it
 * @param needle leaves out the ASCII names without it that are no folders; other names are left to
 * the caller, as their case is more than bytes
 */
export function decodeRecords(
  bytes: Uint8Array,
  into: DirectoryEntry[],
  kindOf: (name: string) => EntryKind,
  needle?: Needle,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Decodes ASCII several times as fast as a TextDecoder.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0, next = 0; at < bytes.length; at = next) {
    next = at + view.getUint16(at + 16, true);
    const start = at + 19;
    let end = start;
    let any = 0;
    for (let byte = bytes[end]; byte; byte = bytes[++end]) any |= byte;
    if (
      bytes[start] === dot && (end === start + 1 || bytes[start + 1] === dot && end === start + 2)
    ) {
      continue;
    }
    const kind = kindByType[bytes[at + 18] ?? 0];
    const isPlain = kind !== undefined && kind !== "folder" && any < 0x80;
    if (needle && isPlain && !holds(bytes, start, end, needle)) continue;
    const name = any < 0x80
      ? text.toString("latin1", start, end)
      : decodeName(bytes.subarray(start, end));
    const ino = view.getUint32(at, true) + view.getUint32(at + 4, true) * 0x1_0000_0000;
    into.push({ name, kind: kind ?? kindOf(name), ino });
  }
}

/** Whether a range of bytes holds the needle. */
function holds(
  bytes: Uint8Array,
  start: number,
  end: number,
  { lower, upper }: Needle,
): boolean {
  const count = lower.length;
  for (let at = start; at <= end - count; at++) {
    let same = 0;
    for (; same < count; same++) {
      const byte = bytes[at + same];
      if (byte !== lower[same] && byte !== upper[same]) break;
    }
    if (same === count) return true;
  }
  return false;
}
