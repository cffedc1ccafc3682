import { changedError, factsOf, isUnchanged } from "../../core/access/folder_handle.ts";
import type { OpenSource, Source } from "./container.ts";
import type { OutputBuffer } from "./output_buffer.ts";

/** The size of a chunk, in bytes. */
const chunkSize = 256 * 1024;

/** Called with each chunk of a file before it is written, e.g. for its checksum. */
export type OnChunk = (bytes: Uint8Array) => void;

/**
 * Reads a whole small file into a buffer of its size.
 *
 * @throws {DomainError} when the file is gone, or has changed since its facts were read
 */
export function readSmall(source: Source, into: Uint8Array<ArrayBuffer>): void {
  const { size } = source.facts;
  if (size === 0) return assertStillEmpty(source);
  using file = source.open();
  fill(file, into.subarray(0, size), 0, source);
  assertUnchanged(file, source);
}

/**
 * Reads a file straight into an output buffer, from an offset to its end. Parts of it may be sent
 * before a change of the file is noticed: then the archive breaks off.
 *
 * @param options.isDone whether the rest of the file is not needed
 * @throws {DomainError} when the file is gone or changes during the read
 */
export async function readInto(
  source: Source,
  out: OutputBuffer,
  { from = 0, onChunk, isDone }: { from?: number; onChunk?: OnChunk; isDone?: () => boolean } = {},
): Promise<void> {
  const { size } = source.facts;
  if (size === 0) return assertStillEmpty(source);
  using file = source.open();
  assertUnchanged(file, source);
  for (let at = from; at < size;) {
    if (isDone?.()) return;
    await out.reserve(1);
    const part = out.rest.subarray(0, size - at);
    fill(file, part, at, source);
    onChunk?.(part);
    out.advance(part.length);
    at += part.length;
  }
  assertUnchanged(file, source);
}

/**
 * Yields the chunks of a file, for a compressor. All chunks share one buffer, unless it is detached.
 *
 * @param options.from,to byte range; the whole file when left out
 * @throws {DomainError} when the file is gone or changes during the read
 */
export function* chunksOf(
  source: Source,
  { from = 0, to = source.facts.size } = {},
): Generator<Uint8Array<ArrayBuffer>, void> {
  const size = Math.min(to - from, chunkSize);
  let buffer = new Uint8Array(size);
  using file = source.open();
  assertUnchanged(file, source);
  for (let at = from; at < to; at += size) {
    if (buffer.length === 0) buffer = new Uint8Array(size);
    const part = buffer.subarray(0, to - at);
    fill(file, part, at, source);
    yield part;
  }
  assertUnchanged(file, source);
}

/**
 * Reads the first bytes of a file as a sample. They are not archived, so the file may be changing.
 *
 * @throws {DomainError} when the file is gone or shorter than its facts say
 */
export function readBeginning(source: Source, max: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(max, source.facts.size));
  using file = source.open();
  fill(file, bytes, 0, source);
  return bytes;
}

/** Fills the whole buffer from an offset in the file. */
function fill(file: OpenSource, into: Uint8Array<ArrayBuffer>, at: number, source: Source): void {
  for (let done = 0; done < into.length;) {
    const count = file.read(done === 0 ? into : into.subarray(done), at + done);
    if (count === 0) throw changedError(source.path);
    done += count;
  }
}

/** A file that was removed while open counts as changed. */
function assertUnchanged(file: OpenSource, { facts, path }: Source): void {
  const now = file.facts();
  if (now.nlink === 0 || !isUnchanged(factsOf(now), facts)) throw changedError(path);
}

/** An empty file is not opened: it need not be readable to be archived. */
function assertStillEmpty(source: Source): void {
  const now = source.look();
  if (!now || !isUnchanged(factsOf(now), source.facts)) throw changedError(source.path);
}
