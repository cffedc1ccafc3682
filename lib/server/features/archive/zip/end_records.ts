import { maxUint16, maxUint32 } from "./entry.ts";
import { madeBy, version, writeWide } from "./records.ts";

const signature = { end64: 0x06064b50, locator64: 0x07064b50, end: 0x06054b50 };

/** Facts about the directory that the end records state. */
export interface Directory {
  count: number;
  /** Bytes. */
  length: number;
  offset: number;
}

/** The length of the end records, in bytes. */
export function endLength(directory: Directory): number {
  return 22 + (isWideDirectory(directory) ? 56 + 20 : 0);
}

/** Writes the end records. */
export function writeEnd(view: DataView, at: number, directory: Directory): void {
  const { count, length, offset } = directory;
  if (isWideDirectory(directory)) {
    view.setUint32(at, signature.end64, true);
    writeWide(view, at + 4, 44);
    view.setUint16(at + 12, madeBy, true);
    view.setUint16(at + 14, version.wide, true);
    view.setUint32(at + 16, 0, true);
    view.setUint32(at + 20, 0, true);
    writeWide(view, writeWide(view, at + 24, count), count);
    writeWide(view, writeWide(view, at + 40, length), offset);
    view.setUint32(at + 56, signature.locator64, true);
    view.setUint32(at + 60, 0, true);
    writeWide(view, at + 64, offset + length);
    view.setUint32(at + 72, 1, true);
    at += 76;
  }
  view.setUint32(at, signature.end, true);
  view.setUint32(at + 4, 0, true);
  view.setUint16(at + 8, Math.min(count, maxUint16), true);
  view.setUint16(at + 10, Math.min(count, maxUint16), true);
  view.setUint32(at + 12, Math.min(length, maxUint32), true);
  view.setUint32(at + 16, Math.min(offset, maxUint32), true);
  view.setUint16(at + 20, 0, true);
}

function isWideDirectory({ count, length, offset }: Directory): boolean {
  return count >= maxUint16 || length >= maxUint32 || offset >= maxUint32;
}
