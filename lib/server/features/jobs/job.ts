import { isoOf } from "../../../shared/time.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { ArchiveFormat, ChecksumName } from "../../../shared/schemas/choices/choices.ts";
import type { JobAction, JobInfo, JobState } from "../../../shared/schemas/job.ts";
import { makeTemporaryName } from "../../core/access/names.ts";
import type { CommittedCopy } from "../../files/transfer/finish_transfer.ts";
import type { LeftOut, TransferProgress } from "../../files/transfer/progress.ts";
import { type JobSize, sizeOfEntries } from "./job_size.ts";

/** One of the entries that a job is about, by paths of its user. */
export interface JobEntry {
  path: EntryPath;
  /** Its new path; null for a deletion and a checksum. */
  to: EntryPath | null;
  /** Replaces a file, merges into a folder. */
  override?: boolean;
  /** Picks another name on a conflict. */
  rename?: boolean;
  /**
   * The entries for an archive, by paths in the folder, or out of one, by paths in it; all of it
   * when left out.
   */
  chosen?: EntryPath[];
  format?: ArchiveFormat;
  algorithm?: ChecksumName;
}

/** Where an entry is now. */
interface Arrival {
  to: EntryPath;
  ino: number | null;
  /** The trash's id of the file that it replaced. */
  version?: string;
  /** It replaced a file that was not kept. */
  isFinal?: boolean;
}

/** The outcome for an entry, as far as it has to be known to undo it. Paths are of its user. */
export type Step =
  /** It was renamed or moved. */
  | ({ kind: "moved"; from: EntryPath } & Arrival)
  /** It was copied, uploaded, made as an archive or extracted from one. */
  | ({ kind: "arrived" } & Arrival)
  /** It is a folder that an upload has made. */
  | { kind: "made"; to: EntryPath; ino: number | null }
  /** It is in the trash under this id. */
  | { kind: "trashed"; id: string }
  /** It can't be undone: it is gone for good, or was merged with others. */
  | { kind: "final" }
  /** Its checksum was made. */
  | Digest;

/** A checksum that was made. */
export interface Digest {
  kind: "digest";
  path: EntryPath;
  algorithm: ChecksumName;
  digest: string;
}

/** Why an entry could not be dealt with. */
export interface JobFailure {
  path: EntryPath;
  code: string;
  message: string;
  /** Of a folder that was copied, moved or archived but for these entries. */
  leftOut?: LeftOut & { folder: EntryPath };
}

/** The entry that a job deals with now, to find out after a crash what has become of it. */
export interface CurrentEntry {
  /** Its inode; null when it was not there. */
  ino: number | null;
  /** When it was begun, in milliseconds since 1970. */
  since: number;
  /** What is not copied or archived of it. */
  leftOut?: LeftOut;
  /** Its copy is complete, and was about to get its name. */
  copy?: CommittedCopy;
  /** The trash's id of the file that it replaces, or of what is being restored for an undo. */
  version?: string;
  /** It replaces a file that is not kept. */
  isFinal?: boolean;
  /** It is a folder that is merged into another. */
  merges?: boolean;
}

/** A job as the store holds it. Times are in milliseconds since 1970. */
export interface Job {
  id: string;
  userId: number;
  /** The API token that began it, by whose rights and bounds it works. */
  tokenId?: string;
  /** The client's address, for commands that are hooked to events. */
  address: string;
  action: JobAction;
  state: JobState;
  /** The order of its user; the runner acts on it at its next step. */
  wish: "pause" | "cancel" | null;
  began: number;
  ended: number | null;
  /** When its user was last seen to wait for its end; absent before it has taken its time. */
  seen?: number;
  total: number;
  /** The index of the entry that it deals with. */
  next: number;
  failed: number;
  /** How many of the failed are done but for what was left out. */
  partial?: number;
  /** How many steps can be undone. */
  steps: number;
  /** How many can't. */
  final: number;
  name: string;
  from: EntryPath;
  to: EntryPath | null;
  progress: TransferProgress;
  arrived: string[];
  current: CurrentEntry | null;
  /** The mount points of the disks below the root that it works on, once it has begun. */
  disks?: string[];
  /** Those of the disks that may hang: it runs in a thread that waits for all of them. */
  slow?: string[];
  /** How much of it is in the store. */
  size?: JobSize;
  /** Names the folders of copies under way. */
  staging: string;
  /** The run that works on it, another one for each claim, and its last sign of work. */
  runner: string | null;
  beat: number;
}

/** That of an entry that was not begun. */
export const noProgress: TransferProgress = { total: 0, entries: 0, bytes: 0 };

/** Most entries of one job. */
const maxEntries = 100_000;

/** Most characters of a path of an entry: a job, a step and a failure hold some of them. */
const maxPathLength = 5_000;

/**
 * A job that was not begun.
 *
 * @throws {DomainError} `invalid_body` without entries, or with too many; `invalid_path` for one
 * that is too long
 */
export function newJob(
  facts: Pick<Job, "userId" | "tokenId" | "address" | "action"> & { id?: string },
  entries: readonly JobEntry[],
): Job {
  const [first] = entries;
  if (!first) throw new DomainError("invalid_body", "Cannot start the job: there are no entries");
  if (entries.length > maxEntries) {
    throw new DomainError(
      "invalid_body",
      `Cannot start the job: there are over ${maxEntries} entries`,
    );
  }
  const isTooLong = ({ path, to }: JobEntry) =>
    Math.max(path.length, to?.length ?? 0) > maxPathLength;
  if (entries.some(isTooLong)) {
    throw new DomainError(
      "invalid_path",
      `Cannot start the job: a path has more than ${maxPathLength} characters`,
    );
  }
  return {
    id: crypto.randomUUID(),
    state: "queued",
    wish: null,
    began: Date.now(),
    ended: null,
    total: entries.length,
    ...{ next: 0, failed: 0, steps: 0, final: 0 },
    name: nameOf(facts.action === "archive" && first.to ? first.to : first.path),
    from: facts.action === "archive" ? first.path : parentOf(first.path),
    to: first.to && parentOf(first.to),
    progress: noProgress,
    arrived: [],
    current: null,
    size: { entries: sizeOfEntries(entries), outcomes: 0 },
    staging: makeTemporaryName(),
    runner: null,
    beat: 0,
    ...facts,
  };
}

/** A job as its owner sees it. */
export function infoOf(
  job: Job,
  failures: JobInfo["failures"] = [],
  checksums: JobInfo["checksums"] = [],
): JobInfo {
  const { id, action, state, began, ended, total, next, failed, steps, final } = job;
  const { name, from, to, progress, arrived, partial = 0 } = job;
  const isWhole = final === 0 && failed === 0;
  return {
    ...{ id, action, state },
    began: isoOf(began),
    ended: ended === null ? null : isoOf(ended),
    ...{ total, done: next, failed, name, from, to, arrived, failures, checksums },
    ...partial > 0 && { partial },
    progress: { size: 0, ...progress },
    undo: steps === 0 ? "nothing" : isWhole ? "all" : "part",
  };
}
