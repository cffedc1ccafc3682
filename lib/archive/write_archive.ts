import type { PatientSteps } from "../walk/slices.ts";
import type { Codec } from "./codecs/codec.ts";
import type { Outlet } from "./outlet.ts";
import { Pages, type TakePage } from "./pages.ts";
import { Proof } from "./proof.ts";
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
  const proof = new Proof();
  const compressed = new Pages((page) => outlet.send(page), compressedPage);
  const pages = new Pages(
    proven(proof, (page) => codec?.write(page, compressed) ?? outlet.send(page)),
  );
  const tar = new TarWriter(pages, proof);
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
  const proof = new Proof();
  const pages = new Pages(proven(proof, (page) => outlet.send(page)));
  const zip = new ZipWriter({ pages, proof, checksums }, method);
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
  const proof = new Proof();
  let left = part.end - part.start + 1;
  const pages = new Pages(proven(proof, function* (page, position) {
    const wanted = page.subarray(Math.max(0, part.start - position)).subarray(0, left);
    const { length } = wanted;
    if (length > 0) yield* outlet.send(wanted);
    // Not before it has left: a page that waits for the client would be dropped as the last.
    left -= length;
  }));
  const zip = new PlannedZip(plan, { pages, proof, checksums }, part);
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

/** Lets a page leave only when all that was read into it is proven. */
function proven(proof: Proof, take: TakePage): TakePage {
  return function* (page, position) {
    proof.settle();
    yield* take(page, position);
  };
}
