import { childOf, type EntryPath, nameOf, parentOf, relativePath } from "../../../shared/path.ts";
import { numberedName } from "../../../shared/numbered_name.ts";
import type { EntryFacts } from "../../base/prompts/prompts.ts";
import type { Incoming } from "../drag/dropped.ts";
import { type Failure, failure } from "../../../shared/result.ts";
import type { Unfinished } from "./unfinished_uploads.ts";

/** The state of an upload that is not finished. */
export type UploadStatus = "waiting" | "sending" | "asking" | "failed";

/** One file or folder in the queue. It changes in place; screens see {@linkcode UploadRow}s. */
export interface UploadJob {
  readonly id: number;
  /** The destination folder, with the folders uploaded together. */
  readonly destination: EntryPath;
  path: EntryPath;
  name: string;
  /** Its original name. */
  readonly ownName: string;
  /** The number appended to its name to keep both; 0 for none. */
  number: number;
  readonly file: File | null;
  /** By which the browser can open the file again. */
  readonly handle: FileSystemHandle | null;
  readonly size: number;
  sent: number;
  status: UploadStatus | "done" | "cancelled";
  override: boolean;
  /** The server has all bytes, but could not give the file its name. */
  isUnnamed: boolean;
  /** An earlier page has sent all bytes: this one has no file to send. */
  readonly isHeld: boolean;
  /** Once all bytes have arrived, both files are kept where the name is taken. */
  keepsBoth: boolean;
  failure: Failure | null;
  /** Unreadable, or without a valid name: a retry makes no sense. */
  readonly isHopeless: boolean;
  controller: AbortController | null;
  /** The number of retries after a lost connection. */
  losses: number;
  /** A request for many files that may have written it had no answer. */
  wasSent: boolean;
  readonly transferRate: TransferRate;
}

/** One upload as the panel shows it. */
export interface UploadRow {
  id: number;
  name: string;
  path: EntryPath;
  isFolder: boolean;
  status: UploadStatus;
  /** 0 to 100, rounded up. */
  percent: number;
  failure: Failure | null;
  /** A retry makes no sense. */
  isHopeless: boolean;
  /** Bytes per second; null while unknown. */
  rate: number | null;
  /** Estimated seconds left; null while unknown. */
  left: number | null;
}

/** A job for a dropped item; already failed if it can't be sent. */
export function createJob(
  id: number,
  destination: EntryPath,
  { segments, file, unreadable, handle = null }: Incoming,
  override: boolean,
): UploadJob {
  const name = segments.at(-1) ?? "";
  const at = pathBelow(destination, segments);
  const faulty = at === null
    ? failure(0, "invalid_name", `Cannot use "${name}" as a name`)
    : unreadable
    ? failure(0, "unreadable", `Cannot read "${name}" on this computer`)
    : null;
  return {
    id,
    destination,
    path: at ?? destination,
    name,
    ownName: name,
    number: 0,
    file,
    handle,
    size: file?.size ?? 0,
    sent: 0,
    status: faulty ? "failed" : "waiting",
    override,
    isUnnamed: false,
    isHeld: false,
    keepsBoth: false,
    failure: faulty,
    isHopeless: faulty !== null,
    controller: null,
    losses: 0,
    wasSent: false,
    transferRate: new TransferRate(),
  };
}

/** A failed job for an upload of an earlier page that has all its bytes, but not its name. */
export function createHeldJob(
  id: number,
  { path, name, size, lastModified }: Unfinished,
  why: Failure,
): UploadJob {
  const file = new File([], name, { lastModified });
  const job = createJob(id, parentOf(path), { segments: [nameOf(path)], file }, false);
  return { ...job, size, status: "failed", failure: why, isUnnamed: true, isHeld: true };
}

/** Appends the next number to the name of a job's file: `a(1).txt`, then `a(2).txt`. */
export function numberJob(job: UploadJob): void {
  job.number++;
  job.name = numberedName(job.ownName, job.number, false);
  job.path = childOf(parentOf(job.path), job.name);
}

/** Keeps both files: by another name or, where the server has all bytes, by one that it finds. */
export function keepBoth(job: UploadJob): void {
  if (job.isUnnamed) job.keepsBoth = true;
  else numberJob(job);
}

/** The properties of a local file for a prompt; null for a folder. */
export function factsOf(file: File | null, size = file?.size ?? 0): EntryFacts {
  const modified = file ? new Date(file.lastModified).toISOString() : "";
  return { isDir: file === null, size, modified };
}

/** Sorts what is uploaded as listings do: by name, numbers by their value, folders before their content. */
export function inOrder(incoming: readonly Incoming[]): Incoming[] {
  const keyed = incoming.map((item) => {
    const path = item.segments.join("\0").toLowerCase();
    return { item, key: path.replace(/\d+/g, (digits) => digits.padStart(16, "0")) };
  });
  keyed.sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  return keyed.map(({ item }) => item);
}

/** A job as the panel shows it; finished ones are not listed. */
export function rowOf(job: UploadJob): UploadRow {
  const { id, name, path, size, failure, isHopeless } = job;
  const status = job.status as UploadStatus;
  const percent = percentOf(job.sent, size);
  const { rate } = job.transferRate;
  const left = job.transferRate.left(size - job.sent);
  return {
    id,
    name,
    path,
    isFolder: job.file === null,
    status,
    percent,
    failure,
    isHopeless,
    rate,
    left,
  };
}

/** A percentage, rounded up; 0 of 0 is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, Math.ceil((part / whole) * 100));
}

function pathBelow(folder: EntryPath, segments: readonly string[]): EntryPath | null {
  try {
    return segments.reduce(childOf, folder);
  } catch {
    return null;
  }
}

/** The shortest interval that a rate is computed from, in milliseconds. */
const SHORTEST_MS = 500;

/** The weight of the latest interval (exponential moving average). */
const LATEST = 0.35;

/** Without progress for this long a transfer counts as stalled, in milliseconds. */
const STALLED_MS = 4000;

/** The transfer rate, smoothed over the reported progress. */
export class TransferRate {
  #at = 0;
  #done = -1;
  #rate: number | null = null;
  #most = 0;
  #movedAt = 0;
  #isStalled = false;

  /** Reports the bytes, or files, transferred so far. A smaller value restarts the measurement. */
  note(done: number, now = performance.now()): void {
    if (done !== this.#most) this.#movedAt = now;
    this.#most = done;
    this.#isStalled = now - this.#movedAt > STALLED_MS;
    if (this.#done < 0 || done < this.#done) {
      this.#rate = null;
      this.#start(done, now);
      return;
    }
    const passed = now - this.#at;
    if (passed < SHORTEST_MS) return;
    const latest = (done - this.#done) * 1000 / passed;
    this.#rate = this.#rate === null ? latest : this.#rate + (latest - this.#rate) * LATEST;
    this.#start(done, now);
  }

  /** Bytes, or files, per second; null while unknown. */
  get rate(): number | null {
    return this.#rate;
  }

  /** Whether nothing has moved for a while, as of the last report. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** The estimated seconds for further bytes; null while unknown. */
  left(bytes: number): number | null {
    return this.#rate ? Math.ceil(bytes / this.#rate) : null;
  }

  #start(done: number, now: number): void {
    this.#at = now;
    this.#done = done;
  }
}

/** The path from the destination to a file, unique within one upload. */
export function labelOf({ path, destination }: UploadJob): string {
  return relativePath(path, destination).slice(1);
}
