import { crc32, deflateRawSync } from "node:zlib";
import type { Source } from "../container.ts";
import { chunkFor, type Deflating, looksRandom } from "../deflate.ts";
import { Deflater } from "../deflater.ts";
import type { OutputBuffer } from "../output_buffer.ts";
import { release } from "../codecs/codec.ts";
import { chunksOf, readInto, readSmall } from "../read_file.ts";
import type { ChecksumCache } from "./checksum_cache.ts";
import type { ZipEntry } from "./entry.ts";
import { descriptorLength, localLength, writeDescriptor, writeLocal } from "./records.ts";
import { RunningChecksum } from "./running_checksum.ts";

/** The output of a zip, and the known checksums. */
export interface ZipOutput {
  out: OutputBuffer;
  checksums: ChecksumCache;
  /** For a zip whose entries may be deflated; else null. */
  deflating: Deflating | null;
  /** Whether the rest of the zip is not needed. */
  isDone?(): boolean;
}

/**
 * Writes a small file: read in one go, directly behind the space for its header. Incompressible
 * content is stored even if deflate was requested.
 */
export async function writeSmall(
  { out, deflating }: ZipOutput,
  entry: ZipEntry,
  source: Source,
): Promise<void> {
  const head = localLength(entry);
  await out.reserve(head + entry.size);
  const content = out.rest.subarray(head, head + entry.size);
  readSmall(source, content);
  entry.crc = crc32(content);
  if (deflating && entry.method === "deflated") packInPlace(entry, content, deflating);
  writeLocal(out.view, out.offset, entry);
  out.advance(head + entry.packedSize);
}

/** Writes a large file by its method, chunk by chunk. Its checksum and size follow it. */
export async function writeLarge(
  output: ZipOutput,
  entry: ZipEntry,
  source: Source,
): Promise<void> {
  const { out, checksums, deflating } = output;
  await writeHead(out, entry);
  const begin = out.position;
  const sum = new RunningChecksum(source.facts, checksums, { at: 0 });
  if (deflating && entry.method === "deflated") {
    await deflateInto(out, source, sum, deflating);
    entry.packedSize = out.position - begin;
  } else {
    await readInto(source, out, { onChunk: sum.add, isDone: output.isDone });
  }
  entry.crc = sum.crc;
  await writeTail(out, entry);
}

async function deflateInto(
  out: OutputBuffer,
  source: Source,
  sum: RunningChecksum,
  deflating: Deflating,
): Promise<void> {
  const deflater = new Deflater(deflating);
  for (const bytes of chunksOf(source)) {
    sum.add(bytes);
    await deflater.write(bytes, out);
  }
  await deflater.end(out);
}

/** Writes the record before an entry's bytes. */
export async function writeHead(out: OutputBuffer, entry: ZipEntry): Promise<void> {
  const length = localLength(entry);
  await out.reserve(length);
  writeLocal(out.view, out.offset, entry);
  out.advance(length);
}

/** Writes the record after an entry's bytes. */
export async function writeTail(out: OutputBuffer, entry: ZipEntry): Promise<void> {
  const length = descriptorLength(entry);
  await out.reserve(length);
  writeDescriptor(out.view, out.offset, entry);
  out.advance(length);
}

function packInPlace(entry: ZipEntry, content: Uint8Array, { level }: Deflating): void {
  entry.method = "stored";
  if (looksRandom(content)) return;
  const deflated = deflateRawSync(content, { level, chunkSize: chunkFor(content) });
  if (deflated.length < content.length) {
    entry.method = "deflated";
    content.set(deflated);
    entry.packedSize = deflated.length;
  }
  release(deflated);
}
