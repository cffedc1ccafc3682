import type { Pauses } from "../concurrency/pauses.ts";
import type { Codec } from "./codecs/codec.ts";
import { OutputBuffer, type SendChunk } from "./output_buffer.ts";
import { TarWriter } from "./tar/tar_writer.ts";
import type { Tree } from "./tree.ts";
import { walkTree } from "./walk_tree.ts";
import type { ChecksumCache } from "./zip/checksum_cache.ts";
import type { Method } from "./zip/entry.ts";
import { type Part, PlannedZip } from "./zip/planned_zip.ts";
import type { ZipPlan } from "./zip/zip_plan.ts";
import { ZipWriter } from "./zip/zip_writer.ts";

/** Compressed bytes come slowly: small chunks keep the client from waiting for a full buffer. */
const compressedChunk = 128 * 1024;

/** Receives the chunks of an archive in order, with back-pressure. */
export interface Sink {
  /** Whether the reader has room for a chunk now. */
  readonly hasCapacity: boolean;
  /** Sends a chunk; its buffer is transferred. */
  send(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** Writes a tree as a tar, compressed or not. */
export async function writeTar(
  tree: Tree,
  codec: Codec | null,
  sink: Sink,
  pauses: Pauses,
): Promise<void> {
  const send = sendTo(sink, pauses);
  const compressed = new OutputBuffer(pauses, send, compressedChunk);
  const out = new OutputBuffer(pauses, codec ? (chunk) => codec.write(chunk, compressed) : send);
  const tar = new TarWriter(out);
  await walkTree(tree, tar, pauses);
  await tar.end();
  await out.flush();
  if (!codec) return;
  await codec.end(compressed);
  await compressed.flush();
}

/** Writes a tree as a zip, entry by entry as they are found. */
export async function writeZip(
  tree: Tree,
  method: Method,
  checksums: ChecksumCache,
  sink: Sink,
  pauses: Pauses,
): Promise<void> {
  const out = new OutputBuffer(pauses, sendTo(sink, pauses));
  const zip = new ZipWriter({ out, checksums }, method);
  await walkTree(tree, zip, pauses);
  await zip.end();
  await out.flush();
}

/** Writes a planned zip, or the requested byte range of it. */
export async function writePlannedZip(
  plan: ZipPlan,
  part: Part,
  checksums: ChecksumCache,
  sink: Sink,
  pauses: Pauses,
): Promise<void> {
  let left = part.end - part.start + 1;
  const send = sendTo(sink, pauses);
  const out = new OutputBuffer(pauses, async (chunk, position) => {
    const wanted = chunk.subarray(Math.max(0, part.start - position)).subarray(0, left);
    left -= wanted.length;
    if (wanted.length === 0) return;
    // Compute checksums while the client is slow.
    while (!sink.hasCapacity && zip.computePending()) if (pauses.isDue) await pauses.pause();
    await send(wanted, position);
  });
  const zip = new PlannedZip(plan, { out, checksums }, part);
  try {
    await zip.write();
    if (left > 0) await out.flush();
  } finally {
    zip.close();
  }
}

function sendTo(sink: Sink, pauses: Pauses): SendChunk {
  return async (chunk) => {
    await sink.send(chunk);
    if (pauses.isDue) await pauses.pause();
  };
}
