import {
  type Attributes,
  giveRights,
  type OpenFile,
  type OpenFolder,
  tryTo,
  withoutMask,
} from "../../core/disk/disk.ts";
import type { Facts } from "../../core/disk/facts.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";

/** Files up to this length are read and written in one go, in bytes. */
const smallBytes = 256 * 1024;

/** Bytes that the kernel copies between two pauses. */
const pieceBytes = 4 * 1024 * 1024;

/** For small files, which are copied without a pause. */
const shared = new Uint8Array(smallBytes);

/** Whether a file has holes, or is compressed by its disk. */
export function isSparse({ size, blocks }: Facts): boolean {
  return (blocks ?? Infinity) * 512 < size;
}

/**
 * Copies a file's content into an empty one: up to its size at the start, so that a growing file
 * comes to an end. Holes stay holes.
 *
 * @param start where to begin, in a file that has the bytes before that and no holes
 * @param count told of bytes that are copied
 * @throws {DiskError} such as `ENOSPC`
 */
export async function copyContent(
  source: OpenFile,
  target: OpenFile,
  before: Facts,
  pauses: Pauses,
  start = 0,
  count: (bytes: number) => void = () => {},
): Promise<void> {
  const { size } = before;
  if (size <= smallBytes && start === 0 && !isSparse(before)) {
    copySmall(source, target, size);
    count(size);
  } else if (isSparse(before)) await copySparse(source, target, size, pauses, count);
  else await copyRange(source, target, { start, end: size }, pauses, count);
}

function copySmall(source: OpenFile, target: OpenFile, size: number): void {
  for (let position = 0; position < size;) {
    const count = source.read(shared.subarray(0, size - position), position);
    if (count === 0) return;
    target.write(shared.subarray(0, count), position);
    position += count;
  }
}

async function copySparse(
  source: OpenFile,
  target: OpenFile,
  size: number,
  pauses: Pauses,
  count: (bytes: number) => void,
): Promise<void> {
  for (let position = 0; position < size;) {
    const data = source.nextData(position);
    if (!data || data.start >= size) break;
    const end = Math.min(data.end, size);
    const range = { start: data.start, end };
    if (!(await copyRange(source, target, range, pauses, count))) return;
    position = end;
  }
  target.setSize(size);
}

/** @returns false when the file ends before that */
async function copyRange(
  source: OpenFile,
  target: OpenFile,
  { start, end }: { start: number; end: number },
  pauses: Pauses,
  reportCount: (bytes: number) => void,
): Promise<boolean> {
  let buffer: Uint8Array<ArrayBuffer> | null = null;
  for (let position = start; position < end;) {
    const length = Math.min(pieceBytes, end - position);
    let count = buffer ? 0 : source.copyRange(target, position, length) ?? 0;
    if (count === 0) {
      // The system can't copy between these files, or signals that as end of file.
      const piece = (buffer ??= new Uint8Array(pieceBytes)).subarray(0, length);
      count = await source.readLater(piece, position);
      if (count === 0) return false;
      target.write(piece.subarray(0, count), position);
    }
    position += count;
    reportCount(count);
    if (pauses.isDue) await pauses.pause();
  }
  return true;
}

/** Copied permission bits of files: never set-uid or set-gid, because the owner may differ. */
export const fileBits = 0o777;

/** The permission bits of folders, with sticky and set-gid. */
const folderBits = 0o3777;

/** Set-gid, which folders pass on to new subfolders. */
const inherited = 0o2000;

/**
 * Copies a file's metadata to its copy: owner as far as the system allows, permissions, access
 * control lists, attributes, and times.
 */
export function copyFileMetadata(
  copy: OpenFile,
  original: Facts,
  attributes: Attributes,
): void {
  const { uid, gid, mode } = copy.facts();
  if (uid !== original.uid || gid !== original.gid) giveOwner(copy, original);
  giveRights(copy, attributes, (original.mode ?? fileBits) & fileBits, mode);
  tryTo(() => copy.setTimes(original));
}

/**
 * The same for a folder.
 *
 * @param more permission bits for a while: the lists, which would take them away, follow later
 */
export function copyFolderMetadata(
  copy: OpenFolder,
  original: Facts,
  attributes: Attributes,
  more = 0,
): void {
  const { uid, gid, mode } = copy.facts();
  if (uid !== original.uid || gid !== original.gid) giveOwner(copy, original);
  const own = mode ?? 0;
  const bits = ((original.mode ?? own) & folderBits) | (own & inherited);
  if (more === 0) giveRights(copy, attributes, bits);
  else tryTo(() => copy.setMode(withoutMask(bits, attributes) | more));
  tryTo(() => copy.setTimes(original));
}

function giveOwner(copy: OpenFile | OpenFolder, { uid, gid }: Facts): void {
  if (uid !== null && gid !== null) tryTo(() => copy.setOwner(uid, gid));
}
