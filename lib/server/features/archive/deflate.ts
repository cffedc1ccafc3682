import { constants, deflateRawSync } from "node:zlib";
import { minReleased, release } from "./codecs/codec.ts";

/** The level of a download unless the request has another: zlib's fastest one. */
export const fastLevel = 1;

/** The level of archives that are kept: the default of zlib, `zip` and `gzip`. */
export const usualLevel = 6;

/** The highest level: the smallest archive. */
export const maxLevel = 9;

/**
 * The most threads that help another one to deflate a stream, with one processor left to it. More
 * would take memory.
 */
export const maxHelpers = Math.min(3, navigator.hardwareConcurrency - 1);

/** How streams are deflated. */
export interface Deflating {
  /** 1 (fast) to 9 (small). */
  level: number;
  /** The number of threads that may help. The output does not depend on it. */
  helpers: number;
}

/** An empty last block in the fixed code, which ends a stream. */
export const lastBlock = Uint8Array.of(3, 0);

/** The most bytes of a stored block (RFC 1951, 3.2.4). */
const maxStored = 0xffff;

/** A stored block's type in a byte of its own, its length, and the complement of that. */
const storedHead = 5;

/**
 * Deflates a part of a stream on its own: the result ends at a whole byte and refers to no other
 * part. So all parts together, followed by {@link lastBlock}, are one ordinary stream (RFC 1951),
 * whichever threads make them. A part that does not shrink is stored.
 *
 * @param level 1 (fast) to 9 (small)
 */
export function deflatePart(bytes: Uint8Array, level: number): Uint8Array<ArrayBuffer> {
  const finishFlush = constants.Z_SYNC_FLUSH;
  const strategy = strategyFor(bytes, level);
  const chunkSize = chunkFor(bytes);
  const deflated = deflateRawSync(bytes, { level, strategy, finishFlush, chunkSize });
  const part = deflated.length < bytes.length ? new Uint8Array(deflated) : storePart(bytes);
  release(deflated);
  return part;
}

/**
 * One output buffer of sufficient size: zlib would otherwise join many small ones. It is never a
 * part of a shared pool, so that {@linkcode release} can free it.
 */
export function chunkFor({ length }: Uint8Array): number {
  return Math.max(length + 64, minReleased);
}

/** A part of a stream in stored blocks. */
function storePart(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const stored = new Uint8Array(bytes.length + Math.ceil(bytes.length / maxStored) * storedHead);
  let at = 0;
  for (const piece of storedBlocks(bytes)) {
    stored.set(piece, at);
    at += piece.length;
  }
  return stored;
}

/** Yields a part of a stream in stored blocks: the head of each, then its bytes, not copied. */
export function* storedBlocks(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += maxStored) {
    const block = bytes.subarray(at, at + maxStored);
    const head = new DataView(new ArrayBuffer(storedHead));
    head.setUint16(1, block.length, true);
    head.setUint16(3, ~block.length, true);
    yield new Uint8Array(head.buffer);
    yield block;
  }
}

/** Fewer bytes are deflated: their entropy can't be estimated, and it takes little time. */
const minProbed = 16 * 1024;

/** Slices of a part that are examined, and their length in bytes. */
const slices = 8;
const sliceLength = 512;

/** Bits a byte, of as many as are examined: random bytes measure 7.95, English text below 5. */
const randomEntropy = 7.85;

/** Small random files with the headers of a tar between them measure 6.5 to 7.6, programs 6.2. */
const highEntropy = 6.5;

/** Repeated sequences of 4 bytes among the examined ones: random bytes have none, a font 1,000. */
const fewRepeats = slices * sliceLength / 32;

/**
 * Whether bytes look compressed or encrypted, by a sample of them: all values are about equally
 * frequent, and no sequences repeat. Takes 1 % of the time of deflating.
 */
export function looksRandom(bytes: Uint8Array): boolean {
  if (bytes.length < minProbed) return false;
  const { entropy, repeats } = sampleOf(bytes);
  return repeats < fewRepeats && entropy > randomEntropy;
}

/**
 * How zlib compresses. At its fastest level it looks for repeated sequences with a fixed code. Where
 * there are none, it is faster, and the result smaller, if it looks for runs of one value only and
 * makes a code by the frequencies of values.
 */
function strategyFor(bytes: Uint8Array, level: number): number {
  if (level !== fastLevel || bytes.length < minProbed) return constants.Z_DEFAULT_STRATEGY;
  const { entropy, repeats } = sampleOf(bytes);
  const isMostlyRandom = repeats < fewRepeats && entropy > highEntropy;
  return isMostlyRandom ? constants.Z_RLE : constants.Z_DEFAULT_STRATEGY;
}

/** What some slices of bytes tell about all of them. */
interface Sample {
  /** Shannon's entropy of the values, in bits. */
  entropy: number;
  /** How many sequences of 4 bytes came before, but for runs of one value. */
  repeats: number;
}

/** Tables for a sample, used again: V8 would let 64 MB of them add up before it collects. */
const counts = new Uint16Array(256);
const lastSeen = new Uint32Array(4096);

function sampleOf(bytes: Uint8Array): Sample {
  counts.fill(0);
  lastSeen.fill(0);
  const step = Math.floor((bytes.length - sliceLength) / (slices - 1));
  let repeats = 0;
  for (let slice = 0; slice < slices; slice++) {
    const begin = slice * step;
    let sequence = 0;
    for (let at = begin; at < begin + sliceLength; at++) {
      const byte = bytes[at] ?? 0;
      counts[byte] = (counts[byte] ?? 0) + 1;
      const isRun = sequence === Math.imul(byte, 0x0101_0101) >>> 0;
      sequence = (sequence << 8 | byte) >>> 0;
      const place = Math.imul(sequence, 0x9e37_79b1) >>> 20;
      if (at >= begin + 3 && lastSeen[place] === sequence && !isRun) repeats++;
      lastSeen[place] = sequence;
    }
  }
  return { entropy: entropyOf(counts, slices * sliceLength), repeats };
}

/** Shannon's entropy of values with these frequencies, in bits. */
function entropyOf(counts: Uint16Array, total: number): number {
  let entropy = 0;
  for (const count of counts) {
    if (count > 0) entropy -= count / total * Math.log2(count / total);
  }
  return entropy;
}
