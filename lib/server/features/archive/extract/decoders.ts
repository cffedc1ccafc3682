import { type Duplex, pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createZstdDecompress } from "node:zlib";
import { joined } from "../../../../shared/joined.ts";
import type { CodecName } from "../format.ts";
import {
  brokenArchiveError,
  type Bytes,
  type ByteStream,
  unsupportedArchiveError,
} from "./archived_entry.ts";
import { decodeLz4 } from "./lz4_frames.ts";
import { decodeSnappy } from "./snappy_frames.ts";
import { xzBlocks } from "./xz_blocks.ts";
import type { ByteReader } from "./byte_reader.ts";
import { framesOf, gathered, numberAt, passed } from "./framing.ts";

/** Decodes a compressed stream. Errors of the library mean that it is damaged. */
export type Decode = (stream: ByteStream) => ByteStream;

/** A library's decoder of web streams, which keeps back-pressure. */
type WebDecoder = (input: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>;

const loaders: Record<CodecName, () => Decode | Promise<Decode>> = {
  gzip: () => (stream) => decodeBy(() => createGunzip({ chunkSize }), stream),
  brotli: () => (stream) => decodeBy(() => createBrotliDecompress({ chunkSize }), stream),
  zstd: () => (stream) => decodeBy(() => createZstdDecompress({ chunkSize }), zstdFrames(stream)),
  async snappy() {
    const { uncompressSync } = await import("snappy");
    return (stream) => {
      return decodeSnappy(
        stream,
        (chunk) => uncompressSync(chunk, { asBuffer: true }) as Uint8Array,
      );
    };
  },
  async xz() {
    const { decompressStream } = await import("@napi-rs/lzma/xz");
    return (stream) => decodeByWeb(decompressStream, xzBlocks(stream));
  },
  async lz4() {
    const { uncompressSync } = await import("lz4-napi");
    return (stream) => decodeLz4(stream, uncompressSync);
  },
  bzip2: bzip2Decoder,
};

/** Bytes of a decoded chunk. */
const chunkSize = 256 * 1024;

const loaded = new Map<CodecName, Promise<Decode>>();

/**
 * The decoder of a codec, whose library is loaded on first use.
 *
 * @throws {DomainError} `not_supported` when its library does not load here
 */
export async function loadDecoder(name: CodecName): Promise<Decode> {
  let loading = loaded.get(name);
  if (!loading) {
    loading = Promise.resolve(loaders[name]());
    loaded.set(name, loading);
  }
  try {
    return await loading;
  } catch {
    throw unsupportedArchiveError(`the library for ${name} does not load on this system`);
  }
}

/** Decodes by a stream of `node:zlib`. */
export async function* decodeBy(make: () => Duplex, stream: ByteStream): ByteStream {
  const decoder = make();
  pipeline(Readable.from(stream, { highWaterMark: 1 }), decoder, () => {});
  yield* decoder as AsyncIterable<Bytes>;
}

/** An error of the stream itself stays what it is: the library makes one of its own of it. */
async function* decodeByWeb(decode: WebDecoder, stream: ByteStream): ByteStream {
  let failure: unknown;
  async function* watched(): ByteStream {
    try {
      yield* stream;
    } catch (error) {
      throw failure = error;
    }
  }
  try {
    yield* decode(ReadableStream.from(watched())) as ReadableStream<Bytes>;
  } catch (error) {
    throw failure ?? error;
  }
}

/** The type of a block that holds one byte, to be repeated. */
const repeated = 1;

/** Lengths of the fields of a frame's header, by the bits that tell them (RFC 8878). */
const idLengths = [0, 1, 2, 4];
const sizeLengths = [0, 2, 4, 8];

/**
 * Cuts a stream so that each frame of zstd begins with a chunk of its own: the decoder of
 * `node:zlib` drops what follows a frame in a chunk, and does not notice that a frame breaks off.
 *
 * @throws {DomainError} `broken_archive`
 */
function zstdFrames(stream: ByteStream): ByteStream {
  const read = (reader: ByteReader, head: Bytes) => gathered(restOfFrame(reader, head));
  return framesOf(stream, { name: "zstd", magic: 0xfd2fb528, read });
}

async function* restOfFrame(reader: ByteReader, head: Bytes): ByteStream {
  yield head;
  const [descriptor = 0] = yield* passed(reader, 1);
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeLength = sizeLengths[descriptor >> 6] || (isSingle ? 1 : 0);
  yield* passed(reader, (isSingle ? 0 : 1) + (idLengths[descriptor & 3] ?? 0) + sizeLength);
  for (let isLast = false; !isLast;) {
    const header = numberAt(yield* passed(reader, 3), 0, 3);
    isLast = (header & 1) !== 0;
    yield* passed(reader, (header >> 1 & 3) === repeated ? 1 : header >> 3);
  }
  if (descriptor & 4) yield* passed(reader, 4);
}

/** The used part of bzip2-wasm, which has no types. */
interface Bzip2 {
  init(): Promise<void>;
  decompress(bytes: Uint8Array, maxBytes: number): Uint8Array;
}

/** The two halves of the 48 bits that a block and the end of a stream begin with. */
const blockMark = [0x314159, 0x265359] as const;
const endMark = [0x177245, 0x385090] as const;
const markBits = 48;

/** The header of a stream with the largest blocks: "BZh9". */
const streamHead = [0x42, 0x5a, 0x68, 0x39];

/** The most that comes out of a block, in bytes: first as usual, then a run after each four. */
const usualOutput = 1_000_000;
const maxOutputBytes = Math.ceil(900_000 / 5 * 259);

/** A block is no longer than this, in bytes. */
const maxBlockBytes = 1_500_000;

/**
 * Decodes bzip2 block by block, as the library decompresses only whole streams: each block is put
 * into a stream of its own, as `bzip2recover` does. Blocks begin at any bit.
 */
async function bzip2Decoder(): Promise<Decode> {
  const { default: Bzip2 }: { default: new () => Bzip2 } = await import("bzip2-wasm");
  const bzip2 = new Bzip2();
  await bzip2.init();
  return (stream) => decodeBzip2(stream, bzip2);
}

async function* decodeBzip2(stream: ByteStream, bzip2: Bzip2): ByteStream {
  const marks = new MarkFinder();
  let isComplete = false;
  for await (const chunk of stream) {
    for (const { bits, isBlock } of marks.add(chunk)) {
      isComplete = !isBlock;
      if (bits) yield decompressBlock(bzip2, bits);
    }
    if (marks.held > maxBlockBytes + chunk.length) break;
  }
  if (!isComplete) throw brokenArchiveError("it is truncated");
}

function decompressBlock(bzip2: Bzip2, block: Bytes): Bytes {
  try {
    return bzip2.decompress(block, usualOutput) as Bytes;
  } catch (error) {
    if (!String(error).includes("OUTBUFF_FULL")) throw error;
    return bzip2.decompress(block, maxOutputBytes) as Bytes;
  }
}

/** A mark that was found. */
interface Found {
  /** The block that it ends, as a stream; null where none was open. */
  bits: Bytes | null;
  isBlock: boolean;
}

/** Finds the marks in a stream, bit by bit, and keeps the block that is open. */
class MarkFinder {
  #bytes: Bytes = new Uint8Array(0);
  /** The bit at which the open block begins. */
  #open: number | null = null;
  /** The last 48 bits. */
  #high = 0;
  #low = 0;

  /** The bytes that are kept. */
  get held(): number {
    return this.#bytes.length;
  }

  /** Takes more bytes; yields each mark in them. */
  *add(chunk: Bytes): Generator<Found> {
    const first = this.#keepOpen();
    this.#bytes = joined([this.#bytes, chunk]);
    for (let at = first; at < this.#bytes.length; at++) {
      const byte = this.#bytes[at] ?? 0;
      for (let bit = 7; bit >= 0; bit--) {
        this.#high = (this.#high << 1 | this.#low >>> 23) & 0xffffff;
        this.#low = (this.#low << 1 | byte >> bit & 1) & 0xffffff;
        if (this.#isAt(blockMark)) yield this.#found(at * 8 + 8 - bit - markBits, true);
        else if (this.#isAt(endMark)) yield this.#found(at * 8 + 8 - bit - markBits, false);
      }
    }
  }

  #isAt([high, low]: readonly [number, number]): boolean {
    return this.#high === high && this.#low === low;
  }

  #found(start: number, isBlock: boolean): Found {
    const bits = this.#open === null ? null : asStream(this.#bytes, this.#open, start);
    this.#open = isBlock ? start : null;
    return { bits, isBlock };
  }

  /**
   * Forgets the bytes before the open block, but those in which a mark may have begun.
   *
   * @returns how many bytes are left
   */
  #keepOpen(): number {
    const mark = Math.max(0, this.#bytes.length - markBits / 8);
    const from = this.#open === null ? mark : Math.min(mark, this.#open >> 3);
    this.#bytes = this.#bytes.subarray(from);
    if (this.#open !== null) this.#open -= from * 8;
    return this.#bytes.length;
  }
}

/** A block from one bit to another as a stream of its own. */
function asStream(bytes: Bytes, start: number, end: number): Bytes {
  const sum = bytesAt(bytes, start + markBits, 4);
  const mark = endMark.flatMap((half) => [half >> 16, half >> 8 & 0xff, half & 0xff]);
  const length = end - start;
  const whole = Math.ceil(length / 8);
  const made = new Uint8Array(streamHead.length + whole + mark.length + sum.length + 1);
  made.set(streamHead);
  const shift = start & 7;
  for (let index = 0; index < whole; index++) {
    const at = (start >> 3) + index;
    made[streamHead.length + index] = (bytes[at] ?? 0) << shift | (bytes[at + 1] ?? 0) >> 8 - shift;
  }
  // The bits after the end of the block.
  const used = length & 7;
  let at = streamHead.length + (length >> 3);
  made[at] = used === 0 ? 0 : (made[at] ?? 0) & 0xff << 8 - used;
  for (const byte of [...mark, ...sum]) {
    made[at] = (made[at] ?? 0) | byte >> used;
    made[++at] = byte << 8 - used;
  }
  return made;
}

/** Some bytes that begin at any bit. */
function bytesAt(bytes: Bytes, start: number, count: number): number[] {
  const shift = start & 7;
  return Array.from({ length: count }, (_, index) => {
    const at = (start >> 3) + index;
    return ((bytes[at] ?? 0) << shift | (bytes[at + 1] ?? 0) >> 8 - shift) & 0xff;
  });
}
