import type { OpenFile } from "../../disk/disk.ts";
import type { Facts } from "../../disk/facts.ts";
import type { Pauses } from "../../concurrency/pauses.ts";

/** Files up to this length are read and written in one go, in bytes. */
const smallBytes = 256 * 1024;

/** Bytes that the kernel copies between two pauses. */
const pieceBytes = 4 * 1024 * 1024;

/** For small files, which are copied without a pause. */
const shared = new Uint8Array(smallBytes);

/**
 * Copies a file's content into an empty one: up to its size at the start, so that a growing file
 * comes to an end. Holes stay holes.
 *
 * @throws {DiskError} such as `ENOSPC`
 */
export async function copyContent(
  source: OpenFile,
  target: OpenFile,
  { size, blocks }: Facts,
  pauses: Pauses,
): Promise<void> {
  const isSparse = (blocks ?? Infinity) * 512 < size;
  if (size <= smallBytes && !isSparse) copySmall(source, target, size);
  else if (isSparse) await copySparse(source, target, size, pauses);
  else await copyRange(source, target, 0, size, pauses);
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
): Promise<void> {
  for (let position = 0; position < size;) {
    const data = source.nextData(position);
    if (!data || data.start >= size) break;
    const end = Math.min(data.end, size);
    if (!(await copyRange(source, target, data.start, end, pauses))) return;
    position = end;
  }
  target.setSize(size);
}

/** @returns false when the file ends before that */
async function copyRange(
  source: OpenFile,
  target: OpenFile,
  start: number,
  end: number,
  pauses: Pauses,
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
    if (pauses.isDue) await pauses.pause();
  }
  return true;
}
