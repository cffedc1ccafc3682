import { childOf, type EntryPath, parentOf } from "../../shared/path.ts";
import type { EntryFacts } from "../actions/conflicts.ts";
import type { Incoming } from "../api/incoming.ts";
import { numberedName } from "../actions/names.ts";
import { Pace } from "../core/pace.ts";
import { type Failure, failure } from "../api/result.ts";

/** How far an upload is that is not over. */
export type UploadStatus = "waiting" | "sending" | "asking" | "failed";

/** One file or folder in the queue. It changes in place; screens see {@linkcode UploadRow}s. */
export interface UploadJob {
  readonly id: number;
  /** The folder that it was put into, with the folders that came with it. */
  readonly destination: EntryPath;
  path: EntryPath;
  name: string;
  /** The name that it came with. */
  readonly ownName: string;
  /** The number that its name is given so that another keeps it; 0 for none. */
  number: number;
  readonly file: File | null;
  readonly size: number;
  sent: number;
  status: UploadStatus | "done" | "cancelled";
  override: boolean;
  failure: Failure | null;
  /** There is nothing to send, or nowhere to send it to: it fails however often it is tried. */
  readonly isHopeless: boolean;
  controller: AbortController | null;
  /** How many times it was lost on the way and begun anew. */
  losses: number;
  readonly pace: Pace;
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
  /** To try it again makes no sense. */
  isHopeless: boolean;
  /** Bytes a second; null while that is not known. */
  rate: number | null;
  /** Seconds until it is there, as far as that can be told. */
  left: number | null;
}

/** A job for what is to be put into a folder; one that has failed already if it can't be sent. */
export function createJob(
  id: number,
  destination: EntryPath,
  { segments, file, unreadable }: Incoming,
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
    size: file?.size ?? 0,
    sent: 0,
    status: faulty ? "failed" : "waiting",
    override,
    failure: faulty,
    isHopeless: faulty !== null,
    controller: null,
    losses: 0,
    pace: new Pace(),
  };
}

/** Gives a job's file the next number behind its name: `a(1).txt`, then `a(2).txt`. */
export function numberJob(job: UploadJob): void {
  job.number++;
  job.name = numberedName(job.ownName, job.number, false);
  job.path = childOf(parentOf(job.path), job.name);
}

/** What a question tells of a file of this computer, or of a folder (null). */
export function factsOf(file: File | null): EntryFacts {
  const modified = file ? new Date(file.lastModified).toISOString() : "";
  return { isDir: file === null, size: file?.size ?? 0, modified };
}

/** A job as the panel shows it, which lists none that is over. */
export function rowOf(job: UploadJob): UploadRow {
  const { id, name, path, size, failure, isHopeless } = job;
  const status = job.status as UploadStatus;
  const percent = percentOf(job.sent, size);
  const { rate } = job.pace;
  const left = job.pace.left(size - job.sent);
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

/** A share in percent, rounded up; nothing of nothing is nothing. */
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
