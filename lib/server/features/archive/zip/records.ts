import { maxUint32, type ZipEntry } from "./entry.ts";

/** The records of an entry, as PKWARE's APPNOTE.TXT 6.3.10 has them; numbers are little-endian. */

const signature = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50 };

const flag = { descriptor: 1 << 3, utf8: 1 << 11 };
const methodNumber = { stored: 0, deflated: 8 };

/** "UT", Info-ZIP's extra field for times: what follows, and the time of the last change. */
const timeField = { id: 0x5455, size: 5, has: 1 };
const wideField = { id: 0x0001 };
const fieldHead = 4;
const timeLength = fieldHead + timeField.size;

/** The MS-DOS attribute of a folder. */
const dosFolder = 0x10;

/** The length of the record before an entry's bytes. */
export function localLength({ name, needsZip64 }: ZipEntry): number {
  return 30 + name.length + timeLength + (needsZip64 ? fieldHead + 16 : 0);
}

/** The length of the record after an entry's bytes, 0 without one. */
export function descriptorLength({ hasDescriptor, needsZip64 }: ZipEntry): number {
  if (!hasDescriptor) return 0;
  return needsZip64 ? 24 : 16;
}

/** The length of an entry's record in the directory. */
export function centralLength(entry: ZipEntry): number {
  return 46 + entry.name.length + timeLength + wideLength(entry);
}

/** Writes the record before an entry's bytes. */
export function writeLocal(view: DataView, at: number, entry: ZipEntry): void {
  const { name, needsZip64, hasDescriptor } = entry;
  const [packedSize, size] = hasDescriptor ? [0, 0] : [entry.packedSize, entry.size];
  view.setUint32(at, signature.local, true);
  writeCommon(view, at + 4, entry);
  view.setUint32(at + 14, hasDescriptor ? 0 : entry.crc, true);
  view.setUint32(at + 18, needsZip64 ? maxUint32 : packedSize, true);
  view.setUint32(at + 22, needsZip64 ? maxUint32 : size, true);
  view.setUint16(at + 26, name.length, true);
  view.setUint16(at + 28, localLength(entry) - 30 - name.length, true);
  let next = writeTime(view, writeBytes(view, at + 30, name), entry);
  if (!needsZip64) return;
  view.setUint16(next, wideField.id, true);
  view.setUint16(next + 2, 16, true);
  next = writeWide(view, next + fieldHead, size);
  writeWide(view, next, packedSize);
}

/** Writes the record after an entry's bytes. */
export function writeDescriptor(view: DataView, at: number, entry: ZipEntry): void {
  view.setUint32(at, signature.descriptor, true);
  view.setUint32(at + 4, entry.crc, true);
  if (entry.needsZip64) {
    writeWide(view, writeWide(view, at + 8, entry.packedSize), entry.size);
    return;
  }
  view.setUint32(at + 8, entry.packedSize, true);
  view.setUint32(at + 12, entry.size, true);
}

/** Writes an entry's record of the directory. */
export function writeCentral(view: DataView, at: number, entry: ZipEntry): void {
  const { name, needsZip64, packedSize, size, offset, mode } = entry;
  view.setUint32(at, signature.central, true);
  view.setUint16(at + 4, madeBy, true);
  writeCommon(view, at + 6, entry);
  view.setUint32(at + 16, entry.crc, true);
  view.setUint32(at + 20, needsZip64 ? maxUint32 : packedSize, true);
  view.setUint32(at + 24, needsZip64 ? maxUint32 : size, true);
  view.setUint16(at + 28, name.length, true);
  view.setUint16(at + 30, timeLength + wideLength(entry), true);
  view.setUint32(at + 32, 0, true);
  view.setUint16(at + 36, 0, true);
  view.setUint32(at + 38, (mode << 16 | (isFolder(entry) ? dosFolder : 0)) >>> 0, true);
  view.setUint32(at + 42, Math.min(offset, maxUint32), true);
  let next = writeTime(view, writeBytes(view, at + 46, name), entry);
  if (wideLength(entry) === 0) return;
  view.setUint16(next, wideField.id, true);
  view.setUint16(next + 2, wideLength(entry) - fieldHead, true);
  next += fieldHead;
  if (needsZip64) next = writeWide(view, writeWide(view, next, size), packedSize);
  if (offset >= maxUint32) writeWide(view, next, offset);
}

function isFolder({ mode }: ZipEntry): boolean {
  return (mode & 0o170000) === 0o040000;
}

function wideLength({ needsZip64, offset }: ZipEntry): number {
  const numbers = (needsZip64 ? 2 : 0) + (offset >= maxUint32 ? 1 : 0);
  return numbers === 0 ? 0 : fieldHead + 8 * numbers;
}

/** The fields that both records of an entry share: version, flags, method, time. */
function writeCommon(view: DataView, at: number, entry: ZipEntry): void {
  const { date, time } = dosTime(entry.modified);
  const needsZip64 = wideLength(entry) > 0;
  view.setUint16(at, needsZip64 ? version.wide : version.plain, true);
  view.setUint16(at + 2, flag.utf8 | (entry.hasDescriptor ? flag.descriptor : 0), true);
  view.setUint16(at + 4, methodNumber[entry.method], true);
  view.setUint16(at + 6, time, true);
  view.setUint16(at + 8, date, true);
}

function writeTime(view: DataView, at: number, { modified }: ZipEntry): number {
  const seconds = Math.floor(modified / 1000);
  view.setUint16(at, timeField.id, true);
  view.setUint16(at + 2, timeField.size, true);
  // A time beyond 32 bits is omitted; the DOS time goes up to 2107.
  const isKept = seconds === (seconds | 0);
  view.setUint8(at + fieldHead, isKept ? timeField.has : 0);
  view.setInt32(at + fieldHead + 1, isKept ? seconds : 0, true);
  return at + timeLength;
}

function writeBytes(view: DataView, at: number, bytes: Uint8Array): number {
  new Uint8Array(view.buffer, view.byteOffset).set(bytes, at);
  return at + bytes.length;
}

/** The version of the format that a reader must know: 2.0 for folders and deflate, 4.5 for zip64. */
export const version = { plain: 20, wide: 45 };

/** Made by Unix, which defines the meaning of the attributes. */
export const madeBy = 3 << 8 | version.wide;

/**
 * Writes a 64-bit number, up to JavaScript's safe integers.
 *
 * @returns the offset behind it
 */
export function writeWide(view: DataView, at: number, value: number): number {
  view.setUint32(at, value % 2 ** 32, true);
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
  return at + 8;
}

/** A time in zip's own fields. */
interface DosTime {
  date: number;
  time: number;
}

/**
 * MS-DOS time: 1980 to 2107, in steps of two seconds, without a time zone. Written as UTC, so that
 * an archive has the same bytes wherever it is made. Current programs use the exact time in the
 * extra field.
 *
 * @param modified milliseconds since 1970
 */
export function dosTime(modified: number): DosTime {
  const date = new Date(modified);
  const year = date.getUTCFullYear();
  if (!(year >= 1980)) return { date: 1 << 5 | 1, time: 0 };
  if (year > 2107) return { date: 127 << 9 | 12 << 5 | 31, time: 23 << 11 | 59 << 5 | 29 };
  return {
    date: year - 1980 << 9 | date.getUTCMonth() + 1 << 5 | date.getUTCDate(),
    time: date.getUTCHours() << 11 | date.getUTCMinutes() << 5 | date.getUTCSeconds() >> 1,
  };
}
