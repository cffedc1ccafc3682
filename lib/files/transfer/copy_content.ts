import { read, readSync, type Stats } from "node:fs";
import { promisify } from "node:util";
import type { PatientSteps } from "../../walk/slices.ts";

/** Bytes read at a time. */
const pieceBytes = 1024 * 1024;

/** Zeros are left out by so many at a time: a hole smaller than that is written. */
const grainBytes = 64 * 1024;

const readLater = promisify(read) as unknown as (
  descriptor: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesRead: number }>;

/** For small files, which are read and written without a rest. */
const shared = new Uint8Array(pieceBytes);

/**
 * Copies the content of an open file into an open, empty one: as much as there was when it was
 * looked at, so that a file that grows comes to an end. What takes no room in the one takes none in
 * the other. Large files go piece by piece, with a rest after each.
 *
 * @param source a descriptor of `node:fs`
 * @throws the system's error, such as ENOSPC
 */
export function* copyContent(
  source: number,
  target: Deno.FsFile,
  { size, blocks }: Pick<Stats, "size" | "blocks">,
): PatientSteps<void> {
  const isSparse = blocks * 512 < size;
  if (size <= pieceBytes && !isSparse) copySmall(source, target, size);
  else yield* copyLarge(source, target, size, isSparse);
}

function copySmall(source: number, target: Deno.FsFile, size: number): void {
  for (let position = 0; position < size;) {
    const count = readSync(source, shared, 0, size - position, position);
    if (count === 0) return;
    for (let done = 0; done < count;) done += target.writeSync(shared.subarray(done, count));
    position += count;
  }
}

function* copyLarge(
  source: number,
  target: Deno.FsFile,
  size: number,
  isSparse: boolean,
): PatientSteps<void> {
  const buffer = new Uint8Array(pieceBytes);
  let position = 0;
  while (position < size) {
    let count = 0;
    const wanted = Math.min(pieceBytes, size - position);
    yield readLater(source, buffer, 0, wanted, position).then(({ bytesRead }) => {
      count = bytesRead;
    });
    if (count === 0) break;
    for (const [start, end] of isSparse ? filledParts(buffer, count) : [[0, count] as const]) {
      if (isSparse) target.seekSync(position + start, Deno.SeekMode.Start);
      yield writeAll(target, buffer.subarray(start, end));
    }
    position += count;
  }
  if (isSparse) target.truncateSync(position);
}

async function writeAll(target: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await target.write(bytes.subarray(done));
}

/** The parts of a buffer that are not all zeros, in grains. */
function filledParts(buffer: Uint8Array<ArrayBuffer>, count: number): [number, number][] {
  const parts: [number, number][] = [];
  for (let start = 0; start < count; start += grainBytes) {
    const end = Math.min(start + grainBytes, count);
    if (isZero(buffer, start, end)) continue;
    const last = parts.at(-1);
    if (last && last[1] === start) last[1] = end;
    else parts.push([start, end]);
  }
  return parts;
}

function isZero(buffer: Uint8Array<ArrayBuffer>, start: number, end: number): boolean {
  const words = new Uint32Array(buffer.buffer, start, (end - start) >> 2);
  for (let index = 0; index < words.length; index++) if (words[index] !== 0) return false;
  for (let index = start + words.length * 4; index < end; index++) {
    if (buffer[index] !== 0) return false;
  }
  return true;
}
