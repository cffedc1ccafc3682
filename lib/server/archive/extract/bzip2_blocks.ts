import { brokenArchiveError, type Bytes, type ByteStream } from "./archived_entry.ts";
import { joined } from "./byte_reader.ts";
import type { Decode } from "./decoders.ts";

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
export async function bzip2Decoder(): Promise<Decode> {
  const { default: Bzip2 }: { default: new () => Bzip2 } = await import("bzip2-wasm");
  const bzip2 = new Bzip2();
  await bzip2.init();
  return (stream) => decode(stream, bzip2);
}

async function* decode(stream: ByteStream, bzip2: Bzip2): ByteStream {
  const marks = new MarkFinder();
  let isComplete = false;
  for await (const chunk of stream) {
    for (const { bits, isBlock } of marks.add(chunk)) {
      isComplete = !isBlock;
      if (bits) yield decompress(bzip2, bits);
    }
    if (marks.held > maxBlockBytes + chunk.length) break;
  }
  if (!isComplete) throw brokenArchiveError("it is truncated");
}

function decompress(bzip2: Bzip2, block: Bytes): Bytes {
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
