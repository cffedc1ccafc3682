import { blockSize } from "../tar/header.ts";
import { readNumber } from "./tar_header.ts";
import { brokenArchiveError, type Bytes, type ByteStream } from "./archived_entry.ts";
import type { ByteReader } from "./byte_reader.ts";

/** Bytes of a sparse file that a tar holds: where they belong, and how many there are. */
type Piece = readonly [at: number, length: number];

/** A file of a tar without its holes. */
export interface SparseFile {
  /** With its holes, in bytes. */
  size: number;
  pieces: Piece[];
}

/** The longest list of pieces, in bytes. */
const maxMapBytes = 4 * 1024 * 1024;

/** Holes, which are not written: whoever writes them compares this buffer. */
const zeros = new Uint8Array(256 * 1024);

/** Whether bytes are those of a hole. */
export function isHole(bytes: Bytes): boolean {
  return bytes.buffer === zeros.buffer;
}

/**
 * Reads where the pieces of a sparse file belong: from its header and the blocks behind it (the old
 * format of GNU tar), from extended headers (pax 0.0 and 0.1), or from the beginning of its content
 * (pax 1.0).
 *
 * @param header the block of its header
 * @param fact the text of a fact in its extended headers
 * @param stored bytes of its content in the archive
 * @returns null for a file that is not sparse
 * @throws {DomainError} `broken_archive`
 */
export async function readSparse(
  reader: ByteReader,
  header: Bytes,
  fact: (key: string) => string | undefined,
  stored: number,
): Promise<SparseFile | null> {
  if (header[156] === 0x53) {
    const numbers = numbersIn(header, 386, 4);
    for (let isMore = header[482] !== 0; isMore;) {
      const block = await reader.need(blockSize);
      numbers.push(...numbersIn(block, 0, 21));
      if (numbers.length > maxMapBytes / 24) throw wrongMapError();
      isMore = block[504] !== 0;
    }
    return checked(readNumber(header, 483, 12), numbers, stored);
  }
  const size = Number(fact("GNU.sparse.realsize") ?? fact("GNU.sparse.size"));
  if (fact("GNU.sparse.major") === "1") {
    const before = reader.position;
    const numbers = await readMap(reader, stored);
    return checked(size, numbers, stored - (reader.position - before));
  }
  const map = fact("GNU.sparse.map");
  return map === undefined ? null : checked(size, map.split(",").map(Number), stored);
}

/**
 * The content of a sparse file.
 *
 * @param data reads the next bytes of its content in the archive
 */
export async function* filled(
  { size, pieces }: SparseFile,
  data: (length: number) => ByteStream,
): ByteStream {
  let at = 0;
  for (const [start, length] of [...pieces, [size, 0] as const]) {
    while (at < start) {
      const hole = zeros.subarray(0, start - at);
      at += hole.length;
      yield hole;
    }
    yield* data(length);
    at += length;
  }
}

function numbersIn(block: Bytes, at: number, pairs: number): number[] {
  const numbers: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const place = at + pair * 24;
    if (block[place] === 0) break;
    numbers.push(readNumber(block, place, 12), readNumber(block, place + 12, 12));
  }
  return numbers;
}

/** Lines of decimal digits, in whole blocks: how many pairs there are, and these. */
async function readMap(reader: ByteReader, stored: number): Promise<number[]> {
  const numbers: number[] = [];
  let wanted = 1;
  let digits = "";
  for (let read = blockSize; numbers.length < wanted; read += blockSize) {
    if (read > Math.min(stored, maxMapBytes)) throw wrongMapError();
    for (const byte of await reader.need(blockSize)) {
      if (numbers.length === wanted) break;
      if (byte !== 0x0a) digits += String.fromCharCode(byte);
      if (digits.length > 20) throw wrongMapError();
      if (byte !== 0x0a) continue;
      numbers.push(Number(digits));
      digits = "";
      if (numbers.length === 1) wanted += 2 * (numbers[0] ?? 0);
    }
  }
  return numbers.slice(1);
}

/** Checks that pieces follow one another, within the file, and are all of its content. */
function checked(size: number, numbers: readonly number[], stored: number): SparseFile {
  const pieces: Piece[] = [];
  let [end, sum] = [0, 0];
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    const [at = NaN, length = NaN] = numbers.slice(index, index + 2);
    if (!(at >= end && length >= 0)) throw wrongMapError();
    end = at + length;
    sum += length;
    pieces.push([at, length]);
  }
  const isWhole = Number.isSafeInteger(size) && end <= size && sum === stored;
  if (!isWhole || !pieces.flat().every(Number.isSafeInteger)) throw wrongMapError();
  return { size, pieces };
}

function wrongMapError() {
  return brokenArchiveError("the list of pieces of a sparse file in it is wrong");
}
