import { Buffer } from "node:buffer";
import { joined } from "../../../../shared/joined.ts";
import { brokenArchiveError, type Bytes, type ByteStream } from "./archived_entry.ts";
import type { ByteReader } from "./byte_reader.ts";
import { framesOf, numberAt } from "./framing.ts";

/** How far back a block may refer, in bytes. */
const windowSize = 64 * 1024;

/** The largest blocks, in bytes, by the number in a frame's header. */
const blockSizes = new Map([[4, 64 * 1024], [5, 256 * 1024], [6, 1024 ** 2], [7, 4 * 1024 ** 2]]);

/** Decompresses a block, whose size comes before it, with what came before as a dictionary. */
export type DecompressBlock = (block: Buffer, before: Bytes | null) => Uint8Array;

/** The fields of a frame's header. */
interface Frame {
  areLinked: boolean;
  hasBlockSums: boolean;
  hasSum: boolean;
  maxBytes: number;
}

/**
 * Decodes frames of LZ4 block by block, as the library decompresses only whole ones.
 *
 * @throws {DomainError} `broken_archive`
 */
export function decodeLz4(stream: ByteStream, decompress: DecompressBlock): ByteStream {
  const read = (reader: ByteReader) => blocksOf(reader, decompress);
  return framesOf(stream, { name: "LZ4", magic: 0x184d2204, read });
}

async function* blocksOf(reader: ByteReader, decompress: DecompressBlock): ByteStream {
  const { areLinked, hasBlockSums, hasSum, maxBytes } = await readHeader(reader);
  const sum = new XxHash32();
  let before: Bytes | null = null;
  for (;;) {
    const size = numberAt(await reader.need(4), 0, 4);
    if (size === 0) break;
    const isStored = size >= 2 ** 31;
    const length = size % 2 ** 31;
    if (length > maxBytes) throw brokenArchiveError("a block in it is too long");
    const block = await reader.need(length);
    if (hasBlockSums) await reader.need(4);
    const made = isStored ? block : decompressed(block, maxBytes, before, decompress);
    if (hasSum) sum.update(made);
    if (areLinked) before = lastOf(before, made);
    yield made;
  }
  if (hasSum && numberAt(await reader.need(4), 0, 4) !== sum.digest()) {
    throw brokenArchiveError("its checksum is wrong");
  }
}

async function readHeader(reader: ByteReader): Promise<Frame> {
  const [flags = 0, sizes = 0] = await reader.need(2);
  const maxBytes = blockSizes.get(sizes >> 4 & 7);
  if (flags >> 6 !== 1 || maxBytes === undefined) throw brokenArchiveError("its header is damaged");
  // The size of the content, the number of a dictionary, and a checksum.
  await reader.need((flags & 8 ? 8 : 0) + (flags & 1 ? 4 : 0) + 1);
  return {
    areLinked: (flags & 0x20) === 0,
    hasBlockSums: (flags & 0x10) !== 0,
    hasSum: (flags & 4) !== 0,
    maxBytes,
  };
}

function decompressed(
  block: Bytes,
  maxBytes: number,
  before: Bytes | null,
  decompress: DecompressBlock,
): Bytes {
  const sized = Buffer.alloc(4 + block.length);
  sized.writeUInt32LE(maxBytes, 0);
  sized.set(block, 4);
  return decompress(sized, before) as Bytes;
}

function lastOf(before: Bytes | null, made: Bytes): Bytes {
  if (made.length >= windowSize || !before) return made.slice(-windowSize);
  return joined([before, made]).slice(-windowSize);
}

const prime1 = 0x9e3779b1;
const prime2 = 0x85ebca77;
const prime3 = 0xc2b2ae3d;
const prime4 = 0x27d4eb2f;
const prime5 = 0x165667b1;

/** Bytes that are mixed in at a time. */
const stripe = 16;

/** The checksum of LZ4's frames (XXH32 with the seed 0), of bytes in chunks of any length. */
export class XxHash32 {
  readonly #lanes = new Int32Array([prime1 + prime2, prime2, 0, -prime1]);
  readonly #rest = new Uint8Array(stripe);
  #length = 0;

  /** Adds bytes. */
  update(bytes: Uint8Array): void {
    let at = 0;
    const held = this.#length % stripe;
    this.#length += bytes.length;
    if (held > 0) {
      at = Math.min(stripe - held, bytes.length);
      this.#rest.set(bytes.subarray(0, at), held);
      if (held + at < stripe) return;
      this.#mix(this.#rest, 0, stripe);
    }
    const end = bytes.length - (bytes.length - at) % stripe;
    this.#mix(bytes, at, end);
    this.#rest.set(bytes.subarray(end));
  }

  /** The checksum of all bytes, as an unsigned number. */
  digest(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#lanes;
    let hash = this.#length >= stripe
      ? rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)
      : prime5;
    hash = hash + this.#length | 0;
    const rest = this.#rest.subarray(0, this.#length % stripe);
    let at = 0;
    for (; at + 4 <= rest.length; at += 4) {
      hash = Math.imul(rotate(hash + Math.imul(wordAt(rest, at), prime3) | 0, 17), prime4);
    }
    for (; at < rest.length; at++) {
      hash = Math.imul(rotate(hash + Math.imul(rest[at] ?? 0, prime5) | 0, 11), prime1);
    }
    hash = Math.imul(hash ^ hash >>> 15, prime2);
    hash = Math.imul(hash ^ hash >>> 13, prime3);
    return (hash ^ hash >>> 16) >>> 0;
  }

  /** Mixes whole stripes in. Words and local variables make it ten times as fast as bytes. */
  #mix(bytes: Uint8Array, start: number, end: number): void {
    const words = wordsOf(bytes, start, end);
    let [a = 0, b = 0, c = 0, d = 0] = this.#lanes;
    for (let at = 0; at < words.length; at += 4) {
      a = mixed(a, words[at] ?? 0);
      b = mixed(b, words[at + 1] ?? 0);
      c = mixed(c, words[at + 2] ?? 0);
      d = mixed(d, words[at + 3] ?? 0);
    }
    this.#lanes.set([a, b, c, d]);
  }
}

/** Bytes as numbers of 32 bits, the lowest byte first as on every system that is supported. */
function wordsOf(bytes: Uint8Array, start: number, end: number): Int32Array {
  const isAligned = (bytes.byteOffset + start) % 4 === 0;
  const part = bytes.subarray(start, end);
  const { buffer, byteOffset } = isAligned ? part : new Uint8Array(part);
  return new Int32Array(buffer, byteOffset, (end - start) / 4);
}

function mixed(lane: number, word: number): number {
  return Math.imul(rotate(lane + Math.imul(word, prime2) | 0, 13), prime1);
}

function rotate(word: number, bits: number): number {
  return word << bits | word >>> 32 - bits;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | (bytes[at + 1] ?? 0) << 8 | (bytes[at + 2] ?? 0) << 16 |
    (bytes[at + 3] ?? 0) << 24;
}
