import { constants, deflateRawSync } from "node:zlib";
import { release } from "./codecs/codec.ts";

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
  const deflated = deflateRawSync(bytes, { level, finishFlush, chunkSize: chunkFor(bytes) });
  const part = deflated.length < bytes.length ? new Uint8Array(deflated) : storePart(bytes);
  release(deflated);
  return part;
}

/** One output buffer of sufficient size: zlib would otherwise join many small ones. */
export function chunkFor({ length }: Uint8Array): number {
  return length + 64;
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

/** Repeated sequences of 4 bytes among the examined ones: random bytes have none. */
const fewRepeats = slices * sliceLength / 64;

/**
 * Whether bytes look compressed or encrypted, by a sample of them: all values are about equally
 * frequent, and no sequences repeat. Takes 1 % of the time of deflating.
 */
export function looksRandom(bytes: Uint8Array): boolean {
  if (bytes.length < minProbed) return false;
  const counts = new Uint16Array(256);
  const lastSeen = new Uint32Array(4096);
  const step = Math.floor((bytes.length - sliceLength) / (slices - 1));
  let repeats = 0;
  for (let slice = 0; slice < slices; slice++) {
    const begin = slice * step;
    let sequence = 0;
    for (let at = begin; at < begin + sliceLength; at++) {
      const byte = bytes[at] ?? 0;
      counts[byte] = (counts[byte] ?? 0) + 1;
      sequence = (sequence << 8 | byte) >>> 0;
      const place = Math.imul(sequence, 0x9e37_79b1) >>> 20;
      if (at >= begin + 3 && lastSeen[place] === sequence) repeats++;
      lastSeen[place] = sequence;
    }
  }
  return repeats < fewRepeats && entropyOf(counts, slices * sliceLength) > randomEntropy;
}

/** Shannon's entropy of values with these frequencies, in bits. */
function entropyOf(counts: Uint16Array, total: number): number {
  let entropy = 0;
  for (const count of counts) {
    if (count > 0) entropy -= count / total * Math.log2(count / total);
  }
  return entropy;
}
