import { childOf, type EntryPath } from "../access/path.ts";
import type { Incoming } from "./incoming.ts";
import { type Failure, failure } from "./result.ts";

/** How far one upload is. */
export type UploadStatus = "waiting" | "sending" | "asking" | "done" | "failed" | "cancelled";

/** One file or folder in the queue. It changes in place; screens see {@linkcode UploadRow}s. */
export interface UploadJob {
  readonly id: number;
  /** The folder that it was put into, with the folders that came with it. */
  readonly destination: EntryPath;
  readonly path: EntryPath;
  readonly name: string;
  readonly file: File | null;
  readonly size: number;
  sent: number;
  status: UploadStatus;
  override: boolean;
  failure: Failure | null;
  controller: AbortController | null;
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
  /** Bytes. */
  size: number;
  failure: Failure | null;
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
    file,
    size: file?.size ?? 0,
    sent: 0,
    status: faulty ? "failed" : "waiting",
    override,
    failure: faulty,
    controller: null,
  };
}

/** A job as the panel shows it. */
export function rowOf(job: UploadJob): UploadRow {
  const { id, name, path, status, size, failure } = job;
  const percent = percentOf(job.sent, size);
  return { id, name, path, isFolder: job.file === null, status, percent, size, failure };
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
