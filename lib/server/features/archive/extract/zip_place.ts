import { Buffer } from "node:buffer";
import type { ArchiveFile } from "./archive_file.ts";

/** Where a zip begins and ends in a file, in bytes: the offsets in it count from its beginning. */
export interface ZipPlace {
  start: number;
  end: number;
}

/** The records at the end of a zip (APPNOTE 4.3.14 to 4.3.16). */
const endMark = Buffer.from("PK\x05\x06");
const endSize = 22;
const locatorMark = 0x07064b50;
const locatorSize = 20;
const longMark = 0x06064b50;
const longSize = 56;
const entryMark = 0x02014b50;

/** The ends of a file that are searched, one after the other: without, and with much behind a zip. */
const searchedBytes = [endSize + locatorSize + 0xffff, 4 * 1024 * 1024];

/** Most marks that are looked at: bytes behind a zip may be made to look like many. */
const maxTries = 200;

/**
 * Finds the zip in a file. A program that extracts it may come before (a self-extracting archive);
 * a newline, padding, a page or a signature may follow. The last directory counts.
 *
 * @returns null where there is none
 * @throws the signal's reason
 */
export async function findZip(file: ArchiveFile): Promise<ZipPlace | null> {
  for (const searched of searchedBytes) {
    const base = Math.max(0, file.size - searched);
    const tail = Buffer.from(await file.read(file.size - base, base));
    let at = tail.length;
    for (let tries = 0; tries < maxTries; tries++) {
      at = at > 0 ? tail.lastIndexOf(endMark, at - 1) : -1;
      if (at < 0) break;
      const end = at + endSize <= tail.length
        ? base + at + endSize + tail.readUInt16LE(at + 20)
        : 0;
      if (end === 0 || end > file.size) continue;
      const start = await startOf(file, base + at, tail.subarray(at));
      if (start !== null) return { start, end };
    }
    if (base === 0) return null;
  }
  return null;
}

/** Where the zip begins that ends with this record; null where that has no directory. */
async function startOf(file: ArchiveFile, at: number, record: Buffer): Promise<number | null> {
  const locator = at >= locatorSize ? await bytesAt(file, at - locatorSize, locatorSize) : null;
  if (locator?.readUInt32LE(0) === locatorMark) {
    const offset = Number(locator.readBigUInt64LE(8));
    for (const place of [offset, at - locatorSize - longSize]) {
      const long = await bytesAt(file, place, longSize);
      if (long?.readUInt32LE(0) !== longMark || place < offset) continue;
      const [count, directory] = [long.readBigUInt64LE(32), Number(long.readBigUInt64LE(48))];
      const start = place - offset;
      if (count === 0n || await hasEntry(file, start + directory)) return start;
    }
    return null;
  }
  const [count, size] = [record.readUInt16LE(10), record.readUInt32LE(12)];
  const directory = record.readUInt32LE(16);
  const start = at - size - directory;
  if (start >= 0 && (count === 0 || await hasEntry(file, at - size))) return start;
  return await hasEntry(file, directory) ? 0 : null;
}

async function hasEntry(file: ArchiveFile, at: number): Promise<boolean> {
  return (await bytesAt(file, at, 4))?.readUInt32LE(0) === entryMark;
}

async function bytesAt(file: ArchiveFile, at: number, length: number): Promise<Buffer | null> {
  const isInside = Number.isSafeInteger(at) && at >= 0 && at + length <= file.size;
  return isInside ? Buffer.from(await file.read(length, at)) : null;
}
