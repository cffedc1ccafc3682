import type { CommittedCopy } from "./finish_transfer.ts";
import type { MovedInode } from "./moved_inodes.ts";

/** How far a transfer has come, or other work on an entry. */
export interface TransferProgress {
  /** Entries to copy; 0 until they are counted. */
  total: number;
  /** Of these, how many are copied. */
  entries: number;
  /** Bytes copied. */
  bytes: number;
  /** Bytes to copy, where that is known. */
  size?: number;
}

/** A report of a transfer. */
export type TransferReport =
  | { progress: TransferProgress }
  /** A complete copy is about to get its name: from then on the entry there has this inode. */
  | { committing: CommittedCopy }
  /** Pipes, sockets and devices are left out: how many, and the first of their paths. */
  | { leftOut: LeftOut }
  /** Entries have other inodes, as they have moved to another disk. */
  | { moved: MovedInode[] };

/** The pipes, sockets and devices that a transfer, or an archive, leaves out of a folder. */
export interface LeftOut {
  count: number;
  /** The first of their paths, below the folder. */
  first: string[];
}

/** Most paths that are reported of what is left out, and most of their characters together. */
export const maxLeftOut = 1_000;
const maxLeftOutLength = 64_000;

/** Keeps the first paths, so that these have at most so many characters together; at least one. */
export function shortened(
  { count, first }: LeftOut,
  max = maxLeftOut,
  maxLength = maxLeftOutLength,
): LeftOut {
  let length = 0;
  const fits = first.findIndex((path, index) => (length += path.length) > maxLength && index > 0);
  return { count, first: first.slice(0, Math.min(max, fits === -1 ? first.length : fits)) };
}

/** Keeps what a transfer reports to be left out, for the answer to its caller. */
export class LeftOutNote {
  /** Null where all of it is copied. */
  leftOut: LeftOut | null = null;

  /** Takes the reports of the transfer. */
  readonly report: ReportProgress = (update) => {
    if ("leftOut" in update) this.leftOut = update.leftOut;
    return Promise.resolve();
  };
}

/** Takes reports; resolves once they are dealt with. */
export type ReportProgress = (report: TransferReport) => Promise<void>;

/** Minimum time between two reports of progress, in milliseconds. */
const paceMs = 200;

/** Counts what a transfer has copied, and reports it at intervals. */
export class ProgressMeter {
  readonly #report: ReportProgress;
  readonly #now: TransferProgress = { total: 0, entries: 0, bytes: 0 };
  #reportedAt = performance.now();
  #isReporting = false;

  constructor(report: ReportProgress) {
    this.#report = report;
  }

  /** Sets how many entries there are to copy, or how many bytes. */
  expect(total: number, size?: number): void {
    this.#now.total = total;
    if (size !== undefined) this.#now.size = size;
  }

  /** Counts what was copied. */
  add(entries: number, bytes: number): void {
    this.#now.entries += entries;
    this.#now.bytes += bytes;
    const now = performance.now();
    if (this.#isReporting || now - this.#reportedAt < paceMs) return;
    this.#isReporting = true;
    this.#reportedAt = now;
    void this.#report({ progress: { ...this.#now } }).finally(() => this.#isReporting = false);
  }
}
