import { DomainError } from "../../../shared/errors.ts";
import type { Job, JobEntry, JobFailure, Step } from "./job.ts";
import { isEnded } from "./job_states.ts";

/** How much a job has in the store besides its record, in bytes. */
export interface JobSize {
  entries: number;
  /** Its steps and failures. */
  outcomes: number;
}

/** Most bytes of the entries, steps and failures of all jobs of one user. */
const maxBytesPerUser = 96 * 1024 * 1024;

/** Most failures that are kept and told of one job. */
export const maxFailures = 1000;

/** Most unfinished jobs of one user, paused ones included. */
const maxUnfinished = 100;

/** Most ended jobs of a user that are kept, to be undone. */
export const maxKept = 100;

/** Bytes of a step, or of an entry, besides its paths. */
const perRecord = 150;

/** Most bytes of the steps and failures of a job that is being noted, after which none are kept. */
const maxOutcomes = maxBytesPerUser / 2;

/** The size of entries. */
export function sizeOfEntries(entries: readonly JobEntry[]): number {
  let bytes = 0;
  for (const { path, to, chosen = [] } of entries) {
    bytes += perRecord + bytesOf(path) + bytesOf(to ?? "");
    for (const each of chosen) bytes += bytesOf(each) + 4;
  }
  return bytes;
}

/** The size of a job with one more outcome; as it is when that is not kept. */
export function sizeWith(job: Job, outcome: Step | JobFailure): Pick<Job, "size"> {
  const { entries, outcomes } = sizeOf(job);
  if (!isKept(job, outcome)) return { size: { entries, outcomes } };
  return { size: { entries, outcomes: outcomes + bytesOf(JSON.stringify(outcome)) } };
}

/**
 * Whether an outcome is kept: each step of a job on the server, whose entries bound them; the first
 * failures; and as many steps of a client's own job as there is room for.
 */
export function isKept(job: Job, outcome: Step | JobFailure): boolean {
  const { outcomes } = sizeOf(job);
  if (!("kind" in outcome)) return job.failed < maxFailures && outcomes < maxOutcomes;
  return job.action !== "upload" || outcomes < maxOutcomes;
}

/**
 * Makes room for a job of a user.
 *
 * @param others the other jobs of the user, the latest first
 * @returns ended jobs that have to be removed for it
 * @throws {DomainError} `throttled` for one that is to begin, while unfinished ones leave no room
 */
export function roomFor(job: Job, others: readonly Job[]): Job[] {
  const unfinished = others.filter((each) => !isEnded(each));
  const free = [job, ...unfinished].reduce((left, each) => left - reserved(each), maxBytesPerUser);
  if (!isEnded(job) && (unfinished.length >= maxUnfinished || free < 0)) {
    throw new DomainError("throttled", "Cannot start the job: too many jobs are in progress", 30);
  }
  let left = free;
  return others.filter(isEnded).filter((each, index) => {
    left -= reserved(each);
    return left < 0 || index >= maxKept;
  });
}

/**
 * The most bytes that a job will have: of one that is over, those that it has. Entries become steps
 * with both paths, or failures that name them twice.
 */
function reserved(job: Job): number {
  const { entries, outcomes } = sizeOf(job);
  if (isEnded(job)) return entries + outcomes;
  return Math.max(3 * entries + perRecord * job.total, outcomes);
}

function sizeOf({ size = { entries: 0, outcomes: 0 } }: Job): JobSize {
  return size;
}

/** The store takes a byte for each character up to U+00FF, and two for all characters otherwise. */
function bytesOf(text: string): number {
  // deno-lint-ignore no-control-regex
  return /^[\x00-\xff]*$/.test(text) ? text.length : 2 * text.length;
}
