/** A Worker that makes and extracts archives. */
import type { Growth } from "../../core/access/allowance.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { enterAgain } from "../../core/access/gate.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { serveWorker, type WorkerCall } from "../../core/concurrency/serve_worker.ts";
import type { Codec } from "./codecs/codec.ts";
import { openCodec } from "./codecs/open_codec.ts";
import type { Deflating } from "./deflate.ts";
import { type EntryPath, relativePath } from "../../../shared/path.ts";
import type { WriteReport } from "../../files/transfer/growth.ts";
import { shortened, type TransferReport } from "../../files/transfer/progress.ts";
import { extractArchive } from "./extract/extract_archive.ts";
import type { ArchiveFacts, ArchiveOrder, ExtractOrder } from "./order.ts";
import { readForm, type SelectionForm } from "./selection.ts";
import { enterTree, type Tree } from "./tree.ts";
import { ChecksumCache } from "./zip/checksum_cache.ts";
import { type Part, PlannedZip } from "./zip/planned_zip.ts";
import { ZipPlan } from "./zip/zip_plan.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Container } from "./container.ts";
import type { LeftOutPaths } from "./left_out_file.ts";
import { walkTree } from "./walk_tree.ts";
import { OutputBuffer, type SendChunk } from "./output_buffer.ts";
import { TarWriter } from "./tar/tar_writer.ts";
import { ZipWriter } from "./zip/zip_writer.ts";

/** A call that makes an archive: the whole, or a byte range of a planned one. */
type ArchiveCall = WorkerCall<ArchiveFacts | null, Part | null, TransferReport>;

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
    const { access, folder, chosen, format, deflate, deflating, timeoutMs } = order;
    const pauses = new Pauses(call.signal);
    const tree = enterTree(enterAgain(access), folder, chosen);
    const isPlannable = format.container === "zip" && !deflate;
    const noteBelow = order.notesLeftOut ? folder : null;
    const plan = isPlannable ? await planZip(tree, timeoutMs, pauses, noteBelow) : null;
    const codec = format.codec && await openCodec(format.codec, deflating);
    try {
      const part = await call.open(plan && factsOf(plan));
      if (plan) {
        const all = { start: 0, end: plan.size - 1 };
        await writePlannedZip(plan, part ?? all, checksums, call, pauses);
      } else {
        const { count, first } = await write(
          order,
          codec,
          call,
          pauses,
          (into) => walkTree(tree, into, pauses, noteBelow),
        );
        const below = first.map((path) => relativePath(path, folder).slice(1));
        call.signal.throwIfAborted();
        if (count > 0) await call.report({ leftOut: shortened({ count, first: below }) });
      }
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

/** Adds the entries of an archive to a container. @returns what was left out */
type AddEntries = (into: Container) => Promise<LeftOutPaths>;

function write(
  { format, deflate, deflating }: ArchiveOrder,
  codec: Codec | null,
  call: ArchiveCall,
  pauses: Pauses,
  addEntries: AddEntries,
): Promise<LeftOutPaths> {
  if (format.container === "tar") return writeTar(addEntries, codec, call, pauses);
  return writeZip(addEntries, deflate ? deflating : null, checksums, call, pauses);
}

function factsOf(plan: ZipPlan): ArchiveFacts {
  return { size: plan.size, etag: plan.etag(), entries: plan.entries.length };
}

/**
 * A folder's own size grows with its entries. At this size it has about 10,000 or more and is read
 * in one go, which would delay the first byte too long.
 */
const hugeFolder = 512 * 1024;

/** Thrown to abandon a plan. */
class GivenUp extends Error {}

/**
 * Collects all entries of a stored zip before the first byte is written, within a time limit.
 *
 * @returns null when there are too many entries, the time is up, or an entry is already gone: the
 * archive can be made without a plan, but not resumed
 * @throws {DomainError} `forbidden` for a folder that can't be read
 */
async function planZip(
  tree: Tree,
  timeoutMs: number,
  pauses: Pauses,
  noteBelow: EntryPath | null,
): Promise<ZipPlan | null> {
  const plan = new ZipPlan();
  const end = performance.now() + timeoutMs;
  const isHasty = timeoutMs < Infinity;
  if (isHasty && tree.folders.some(({ handle }) => handle.info.size > hugeFolder)) return null;
  const giveUpInTime = () => {
    const isTooWide = isHasty && plan.widestFolder > hugeFolder;
    if (plan.isTooLarge || isTooWide || performance.now() > end) throw new GivenUp();
  };
  const bounded: Container = {
    folder(name, facts) {
      plan.folder(name, facts);
      giveUpInTime();
    },
    file(name, source) {
      plan.file(name, source);
      giveUpInTime();
    },
  };
  try {
    await walkTree(tree, bounded, pauses, noteBelow);
    return plan;
  } catch (error) {
    const isGone = error instanceof DomainError && error.code === "not_found";
    if (isGone || error instanceof GivenUp) return null;
    throw error;
  }
}

/** Bytes that a codec compresses at a time. The compressed bytes depend on it. */
const codecChunk = 256 * 1024;

/**
 * Bytes of most codecs come slowly: small chunks keep the client from waiting for a full buffer.
 */
const slowChunk = 128 * 1024;

/** Receives the chunks of an archive in order, with back-pressure. */
interface Sink {
  /** Whether the reader has room for a chunk now. */
  readonly hasCapacity: boolean;
  /** Sends a chunk; its buffer is transferred. */
  send(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** Writes entries as a tar, compressed or not. @returns what was left out */
async function writeTar(
  addEntries: AddEntries,
  codec: Codec | null,
  sink: Sink,
  pauses: Pauses,
): Promise<LeftOutPaths> {
  const send = sendTo(sink, pauses);
  const compressed = new OutputBuffer(pauses, send, codec?.isFast ? undefined : slowChunk);
  const out = codec
    ? new OutputBuffer(pauses, (chunk) => codec.write(chunk, compressed), codecChunk)
    : new OutputBuffer(pauses, send);
  const tar = new TarWriter(out);
  const leftOut = await addEntries(tar);
  await tar.end();
  await out.flush();
  await codec?.end(compressed);
  await compressed.flush();
  return leftOut;
}

/**
 * Writes entries as a zip, one by one as they are found.
 *
 * @param deflating null to store all entries
 * @returns what was left out
 */
async function writeZip(
  addEntries: AddEntries,
  deflating: Deflating | null,
  checksums: ChecksumCache,
  sink: Sink,
  pauses: Pauses,
): Promise<LeftOutPaths> {
  const out = new OutputBuffer(pauses, sendTo(sink, pauses));
  const zip = new ZipWriter({ out, checksums, deflating });
  const leftOut = await addEntries(zip);
  await zip.end();
  await out.flush();
  return leftOut;
}

/** Writes a planned zip, or the requested byte range of it. */
async function writePlannedZip(
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
  const zip = new PlannedZip(plan, { out, checksums, deflating: null }, part);
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
