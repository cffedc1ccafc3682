/** A Worker that makes and extracts archives. */
import type { Growth } from "../access/allowance.ts";
import { asRefusal } from "../access/os_errors.ts";
import { enterAgain } from "../access/gate.ts";
import { Pauses } from "../concurrency/pauses.ts";
import { serveWorker } from "../concurrency/serve_worker.ts";
import type { StreamCall, WorkerCall } from "../concurrency/worker_call.ts";
import type { Codec } from "./codecs/codec.ts";
import { openCodec } from "./codecs/open_codec.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { WriteReport } from "../files/transfer/growth.ts";
import type { TransferReport } from "../files/transfer/progress.ts";
import { extractArchive } from "./extract/extract_archive.ts";
import type { ArchiveFacts, ArchiveOrder, ExtractOrder } from "./order.ts";
import { planZip } from "./plan_zip.ts";
import { readForm, type SelectionForm } from "./selection.ts";
import { enterTree, type Tree } from "./tree.ts";
import { writePlannedZip, writeTar, writeZip } from "./write_archive.ts";
import { ChecksumCache } from "./zip/checksum_cache.ts";
import type { Part } from "./zip/planned_zip.ts";
import type { ZipPlan } from "./zip/zip_plan.ts";

/** A call that makes an archive: the whole, or a byte range of a planned one. */
type ArchiveCall = StreamCall<ArchiveFacts | null, Part | null>;

/** The idle time after which the worker ends, and with it the checksums that it keeps. */
const idleMs = 5 * 60_000;

const checksums = new ChecksumCache();

const work = {
  /** Reads which entries a form names. */
  readForm(form: SelectionForm): Promise<EntryPath[]> {
    return readForm(form);
  },

  /** Collects the chosen entries, then streams them as an archive when the caller reads. */
  async make(order: ArchiveOrder, call: ArchiveCall): Promise<void> {
    const { access, folder, chosen, format, deflate, timeoutMs } = order;
    const pauses = new Pauses(call.signal);
    const tree = enterTree(enterAgain(access), folder, chosen);
    const isPlannable = format.container === "zip" && !deflate;
    const plan = isPlannable ? await planZip(tree, timeoutMs, pauses) : null;
    const codec = format.codec && await openCodec(format.codec);
    try {
      const part = await call.open(plan && factsOf(plan));
      if (plan) {
        const all = { start: 0, end: plan.size - 1 };
        await writePlannedZip(plan, part ?? all, checksums, call, pauses);
      } else await write(order, tree, codec, call, pauses);
    } finally {
      codec?.close?.();
    }
  },

  /** Extracts an archive to a new folder; returns its path. */
  extract(
    { access, request }: ExtractOrder,
    call: WorkerCall<never, void, WriteReport>,
  ): Promise<EntryPath> {
    const report = (update: TransferReport) => call.report(update);
    const ask = access.viewer.quota && ((growth: Growth) => call.report({ growth }));
    return extractArchive(enterAgain(access), request, call.signal, report, ask);
  },
};

/** The functions of this worker. */
export type ArchiveWork = typeof work;

serveWorker(work, {
  idleMs,
  asError: (thrown, _name, order: ArchiveOrder | ExtractOrder | SelectionForm) =>
    "folder" in order ? asRefusal(thrown, `Cannot archive "${order.folder}"`) : thrown,
});

function write(
  { format, deflate }: ArchiveOrder,
  tree: Tree,
  codec: Codec | null,
  call: ArchiveCall,
  pauses: Pauses,
): Promise<void> {
  if (format.container === "tar") return writeTar(tree, codec, call, pauses);
  return writeZip(tree, deflate ? "deflated" : "stored", checksums, call, pauses);
}

function factsOf(plan: ZipPlan): ArchiveFacts {
  return { size: plan.size, etag: plan.etag(), entries: plan.entries.length };
}
