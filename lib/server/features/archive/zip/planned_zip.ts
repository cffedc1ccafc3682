import type { Source } from "../container.ts";
import { chunksOf, readInto } from "../read_file.ts";
import { endLength, writeEnd } from "./end_records.ts";
import type { ZipEntry } from "./entry.ts";
import { centralLength, localLength, writeCentral } from "./records.ts";
import { RunningChecksum } from "./running_checksum.ts";
import { writeHead, writeLarge, writeSmall, writeTail, type ZipOutput } from "./write_file.ts";
import { lengthOf, type PlannedEntry, zipEntryAt, type ZipPlan } from "./zip_plan.ts";

/** A byte range of an archive, both ends included. */
export interface Part {
  start: number;
  end: number;
}

/** A skipped part of a file, whose checksum the directory needs. */
interface PendingChecksum {
  index: number;
  /** From the beginning of the file, in bytes. */
  length: number;
}

/**
 * Writes a stored zip from a plan, or a byte range of it. Bytes before the range are skipped and
 * not read; but the directory at the end has the checksums of all files. Those of skipped files
 * come from the cache, or the files are read: while the client is slow, in {@link computePending},
 * or at the latest before the directory.
 */
export class PlannedZip {
  readonly #entries: readonly PlannedEntry[];
  readonly #output: ZipOutput;
  readonly #part: Part;
  readonly #checksums: Uint32Array;
  readonly #missing: PendingChecksum[] = [];
  #computing: Generator<void, void> | null = null;

  /** @param part begins before the end of the archive */
  constructor(plan: ZipPlan, output: ZipOutput, part: Part) {
    this.#entries = plan.entries;
    this.#output = { ...output, isDone: () => this.#isDone };
    this.#part = part;
    this.#checksums = new Uint32Array(plan.entries.length);
  }

  /**
   * Writes the chunks that contain the range; the first and last may exceed it.
   *
   * @throws {DomainError} when a file is gone or has changed since it was planned
   */
  async write(): Promise<void> {
    const { out } = this.#output;
    for (const [index, planned] of this.#entries.entries()) {
      if (this.#isDone) return;
      const entry = zipEntryAt(planned, out.position);
      if (planned.source) await this.#file(index, entry, planned.source);
      else if (this.#wants(localLength(entry))) await writeHead(out, entry);
      else await out.skip(localLength(entry));
    }
    if (!this.#isDone) await this.#directory();
  }

  /**
   * Reads a chunk of the skipped files whose checksums are missing.
   *
   * @returns whether there was anything to do
   */
  computePending(): boolean {
    const pending = this.#computing ? undefined : this.#missing.pop();
    this.#computing ??= pending ? this.#compute(pending) : null;
    if (!this.#computing) return false;
    if (this.#computing.next().done) this.#computing = null;
    return true;
  }

  /** Closes open files after an abort. */
  close(): void {
    this.#computing?.return();
  }

  get #isDone(): boolean {
    return this.#output.out.position > this.#part.end;
  }

  /** Whether any of the next `length` bytes is in the range. */
  #wants(length: number): boolean {
    return this.#output.out.position + length > this.#part.start;
  }

  async #file(index: number, entry: ZipEntry, source: Source): Promise<void> {
    const { out } = this.#output;
    if (!this.#wants(lengthOf(entry))) {
      this.#missing.push({ index, length: entry.size });
      await out.skip(lengthOf(entry));
      return;
    }
    if (!entry.hasDescriptor) await writeSmall(this.#output, entry, source);
    else if (this.#wants(localLength(entry))) await writeLarge(this.#output, entry, source);
    else await this.#restOf(index, entry, source);
    this.#checksums[index] = entry.crc;
  }

  /** Writes a large file from the first requested byte. */
  async #restOf(index: number, entry: ZipEntry, source: Source): Promise<void> {
    const { out, checksums } = this.#output;
    const begin = out.position + localLength(entry);
    const from = Math.min(this.#part.start - begin, entry.size);
    await out.skip(localLength(entry) + from);
    const sum = new RunningChecksum(source.facts, checksums, { at: from });
    await readInto(source, out, { from, onChunk: sum.add, isDone: this.#output.isDone });
    if (this.#isDone) return;
    for (const _ of this.#compute({ index, length: from })) {
      if (out.pauses.isDue) await out.pauses.pause();
    }
    entry.crc = combineChecksums(this.#checksums[index] ?? 0, sum.crc, entry.size - from);
    await writeTail(out, entry);
  }

  /** Computes the checksum of the beginning of a file, chunk by chunk. */
  *#compute({ index, length }: PendingChecksum): Generator<void, void> {
    const { checksums } = this.#output;
    const source = this.#entries[index]?.source;
    if (!source || length === 0) return;
    const known = checksums.find(source.facts, length);
    const sum = new RunningChecksum(source.facts, checksums, known);
    if (known.at < length) {
      for (const bytes of chunksOf(source, { from: known.at, to: length })) {
        sum.add(bytes);
        yield;
      }
    }
    this.#checksums[index] = sum.crc;
  }

  async #directory(): Promise<void> {
    const { out } = this.#output;
    while (this.computePending()) if (out.pauses.isDue) await out.pauses.pause();
    const offset = out.position;
    let place = 0;
    for (const [index, planned] of this.#entries.entries()) {
      if (this.#isDone) return;
      const entry = { ...zipEntryAt(planned, place), crc: this.#checksums[index] ?? 0 };
      const length = centralLength(entry);
      await out.reserve(length);
      writeCentral(out.view, out.offset, entry);
      out.advance(length);
      place += lengthOf(entry);
    }
    const directory = { count: this.#entries.length, length: out.position - offset, offset };
    const length = endLength(directory);
    await out.reserve(length);
    writeEnd(out.view, out.offset, directory);
    out.advance(length);
  }
}

/** The polynomial of CRC-32, its lowest power in the highest bit. */
const polynomial = 0xedb8_8320;

/** The polynomial 1. */
const one = 0x8000_0000;

/** The polynomial x^8: one more byte multiplies a checksum by it. */
const byte = one >>> 8;

/**
 * The CRC-32 of two concatenated texts, from those of each: the first is shifted by the length of
 * the second, a multiplication by x^8n modulo the polynomial.
 *
 * @param length of the second, in bytes
 */
export function combineChecksums(first: number, second: number, length: number): number {
  let moved = first;
  let power = byte;
  for (let left = length; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) moved = multiply(moved, power);
    power = multiply(power, power);
  }
  return (moved ^ second) >>> 0;
}

/** Multiplies two polynomials modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= b;
    b = b & 1 ? b >>> 1 ^ polynomial : b >>> 1;
  }
  return product >>> 0;
}
