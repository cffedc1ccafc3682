import type { Pauses } from "../concurrency/pauses.ts";
import type { Codec } from "./codecs/codec.ts";
import { Pages, type TakePage } from "./pages.ts";
import { TarWriter } from "./tar/tar_writer.ts";
import type { Tree } from "./tree.ts";
import { walkTree } from "./walk_tree.ts";
import type { ChecksumCache } from "./zip/checksum_cache.ts";
import type { Method } from "./zip/entry.ts";
import { type Part, PlannedZip } from "./zip/planned_zip.ts";
import type { ZipPlan } from "./zip/zip_plan.ts";
import { ZipWriter } from "./zip/zip_writer.ts";

/** Compressed bytes come slowly: small chunks keep the client from waiting for a full buffer. */
const compressedPage = 128 * 1024;

/** Receives the chunks of an archive in order, with back-pressure. */
export interface Sink {
  /** Whether the reader has room for a chunk now. */
  readonly isWanted: boolean;
  /** Sends a chunk; its buffer is transferred. */
  send(page: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** Writes a tree as a tar, compressed or not. */
export async function writeTar(
  tree: Tree,
  codec: Codec | null,
  sink: Sink,
  pauses: Pauses,
): Promise<void> {
  const send = sendTo(sink, pauses);
  const compressed = new Pages(pauses, send, compressedPage);
  const pages = new Pages(pauses, codec ? (page) => codec.write(page, compressed) : send);
  const tar = new TarWriter(pages);
  await walkTree(tree, tar, pauses);
  await tar.end();
  await pages.turn();
  if (!codec) return;
  await codec.end(compressed);
  await compressed.turn();
}

/** Writes a tree as a zip, entry by entry as they are found. */
export async function writeZip(
  tree: Tree,
  method: Method,
  checksums: ChecksumCache,
  sink: Sink,
  pauses: Pauses,
): Promise<void> {
  const pages = new Pages(pauses, sendTo(sink, pauses));
  const zip = new ZipWriter({ pages, checksums }, method);
  await walkTree(tree, zip, pauses);
  await zip.end();
  await pages.turn();
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
  const pages = new Pages(pauses, async (page, position) => {
    const wanted = page.subarray(Math.max(0, part.start - position)).subarray(0, left);
    left -= wanted.length;
    if (wanted.length === 0) return;
    // Compute checksums while the client is slow.
    while (!sink.isWanted && zip.computePending()) if (pauses.isDue) await pauses.pause();
    await send(wanted, position);
  });
  const zip = new PlannedZip(plan, { pages, checksums }, part);
  try {
    await zip.write();
    if (left > 0) await pages.turn();
  } finally {
    zip.close();
  }
}

function sendTo(sink: Sink, pauses: Pauses): TakePage {
  return async (page) => {
    await sink.send(page);
    if (pauses.isDue) await pauses.pause();
  };
}
