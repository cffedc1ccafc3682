import { crc32, deflateRawSync } from "node:zlib";
import type { Source } from "../container.ts";
import { Deflater, usualLevel } from "../deflate.ts";
import type { Pages } from "../pages.ts";
import { release } from "../release.ts";
import { piecesOf, readIntoPages, readSmall } from "../read_file.ts";
import type { ChecksumCache } from "./checksum_cache.ts";
import type { ZipEntry } from "./entry.ts";
import { descriptorLength, localLength, writeDescriptor, writeLocal } from "./records.ts";
import { RunningChecksum } from "./running_checksum.ts";

/** Where a zip is written, and the checksums that are known. */
export interface ZipOutput {
  pages: Pages;
  checksums: ChecksumCache;
  /** Whether no more of the zip is wanted. */
  isDone?(): boolean;
}

/**
 * Writes a small file: read in one piece, straight behind the room for its header. What can't be
 * made smaller is stored although it should be deflated.
 */
export async function writeSmall(
  { pages }: ZipOutput,
  entry: ZipEntry,
  source: Source,
): Promise<void> {
  const head = localLength(entry);
  await pages.room(head + entry.size);
  const content = pages.rest.subarray(head, head + entry.size);
  readSmall(source, content);
  entry.crc = crc32(content);
  if (entry.method === "deflated") packInPlace(entry, content);
  writeLocal(pages.view, pages.offset, entry);
  pages.advance(head + entry.packedSize);
}

/** Writes a large file as it is. Its checksum comes behind it. */
export async function writeStored(
  output: ZipOutput,
  entry: ZipEntry,
  source: Source,
): Promise<void> {
  const { pages, checksums } = output;
  await writeHead(pages, entry);
  const sum = new RunningChecksum(source.facts, checksums, { at: 0 });
  await readIntoPages(source, pages, { look: sum.add, isDone: output.isDone });
  entry.crc = sum.crc;
  await writeTail(pages, entry);
}

/** Deflates a large file piece by piece. Its checksum and its size come behind it. */
export async function writeDeflated(
  output: ZipOutput,
  entry: ZipEntry,
  source: Source,
): Promise<void> {
  const { pages, checksums } = output;
  await writeHead(pages, entry);
  const begin = pages.position;
  const sum = new RunningChecksum(source.facts, checksums, { at: 0 });
  const deflater = new Deflater(usualLevel);
  for (const bytes of piecesOf(source)) {
    sum.add(bytes);
    const deflated = deflater.deflate(bytes);
    await pages.write(deflated);
    release(deflated);
    if (pages.pauses.isDue) await pages.pauses.pause();
  }
  await pages.write(deflater.end());
  entry.crc = sum.crc;
  entry.packedSize = pages.position - begin;
  await writeTail(pages, entry);
}

/** Writes the record before an entry's bytes. */
export async function writeHead(pages: Pages, entry: ZipEntry): Promise<void> {
  const length = localLength(entry);
  await pages.room(length);
  writeLocal(pages.view, pages.offset, entry);
  pages.advance(length);
}

/** Writes the record behind an entry's bytes. */
export async function writeTail(pages: Pages, entry: ZipEntry): Promise<void> {
  const length = descriptorLength(entry);
  await pages.room(length);
  writeDescriptor(pages.view, pages.offset, entry);
  pages.advance(length);
}

function packInPlace(entry: ZipEntry, content: Uint8Array): void {
  // One buffer that is large enough: zlib would otherwise join many small ones.
  const chunkSize = content.length + 64;
  const deflated = deflateRawSync(content, { level: usualLevel, chunkSize });
  if (deflated.length >= content.length) {
    entry.method = "stored";
    return;
  }
  content.set(deflated);
  entry.packedSize = deflated.length;
  release(deflated);
}
