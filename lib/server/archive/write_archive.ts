import type { PatientSteps } from "../rpc/slices.ts";
import type { Codec } from "./codecs/codec.ts";
import type { Outlet } from "./outlet.ts";
import { Pages } from "./pages.ts";
import { TarWriter } from "./tar/tar_writer.ts";
import type { Tree } from "./tree.ts";
import { walkTree } from "./walk_tree.ts";
import type { ChecksumCache } from "./zip/checksum_cache.ts";
import type { Method } from "./zip/entry.ts";
import { type Part, PlannedZip } from "./zip/planned_zip.ts";
import type { ZipPlan } from "./zip/zip_plan.ts";
import { ZipWriter } from "./zip/zip_writer.ts";

/** Compressed bytes come slowly; nobody should wait until a large page is full of them. */
const compressedPage = 128 * 1024;

/** Writes a tree as a tar, compressed or not. */
export function* writeTar(tree: Tree, codec: Codec | null, outlet: Outlet): PatientSteps<void> {
  const compressed = new Pages((page) => outlet.send(page), compressedPage);
  const pages = new Pages((page) => codec?.write(page, compressed) ?? outlet.send(page));
  const tar = new TarWriter(pages);
  yield* walkTree(tree, tar);
  yield* tar.end();
  yield* pages.turn();
  if (!codec) return;
  yield* codec.end(compressed);
  yield* compressed.turn();
}

/** Writes a tree as a zip, entry by entry as they are found. */
export function* writeZip(
  tree: Tree,
  method: Method,
  checksums: ChecksumCache,
  outlet: Outlet,
): PatientSteps<void> {
  const pages = new Pages((page) => outlet.send(page));
  const zip = new ZipWriter({ pages, checksums }, method);
  yield* walkTree(tree, zip);
  yield* zip.end();
  yield* pages.turn();
}

/** Writes a planned zip, or the part of it that is asked for. */
export function* writePlannedZip(
  plan: ZipPlan,
  part: Part,
  checksums: ChecksumCache,
  outlet: Outlet,
): PatientSteps<void> {
  let left = part.end - part.start + 1;
  const pages = new Pages(function* (page, position) {
    const wanted = page.subarray(Math.max(0, part.start - position)).subarray(0, left);
    const { length } = wanted;
    if (length > 0) yield* outlet.send(wanted);
    left -= length;
    // Here the last page has left; before, it may still have been waiting for the client.
    if (left === 0) yield;
  });
  const zip = new PlannedZip(plan, { pages, checksums }, part);
  outlet.idle = () => zip.catchUp();
  const steps = zip.write();
  try {
    // A large file would be read to its end, even if no more of it is wanted.
    for (let step = steps.next(); !step.done && left > 0; step = steps.next()) yield step.value;
    if (left > 0) yield* pages.turn();
  } finally {
    steps.return();
    zip.close();
  }
}
