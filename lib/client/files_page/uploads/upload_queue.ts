import type { EntryPath } from "../../../shared/path.ts";
import { labelOf, percentOf, rowOf, TransferRate, type UploadJob } from "./upload_job.ts";
import type { Failure } from "../../../shared/result.ts";
import { isOverQuota } from "../actions/free_room.ts";
import { NO_UPLOADS, type PauseReason, type UploadsState } from "./lazy_uploads.ts";

/**
 * From this many files on, of less than this many bytes on average, progress is counted in files.
 */
const MANY = 50;
const SMALL_BYTES = 100_000;

/** The most retries in a row. */
const FEW = 5;

/** The number of arrived entries whose names are kept, in each folder. */
const NAMED = 1000;

/** The outcome of a queue that has run empty. */
export interface UploadsOutcome {
  done: number;
  failed: number;
  /** The folders that received uploads, with the names of the first {@linkcode NAMED} in each. */
  arrived: ReadonlyMap<EntryPath, ReadonlySet<string>>;
  /** The id of the job, by which they can be undone together. */
  job: string;
}

/** Without a secure connection browsers make no UUIDs. */
function makeJobId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Bookkeeping of the upload queue. Every operation is O(1). */
export class UploadQueue {
  /** Being sent. */
  readonly active = new Set<UploadJob>();
  /** Jobs with a name conflict; their prompt is open. */
  readonly asking = new Set<UploadJob>();
  /** Listed until retried or dismissed. */
  readonly failed = new Set<UploadJob>();
  readonly #jobs = new Map<number, UploadJob>();
  /** The waiting jobs, from `#next` on; cancelled ones among them are skipped. */
  #waiting: UploadJob[] = [];
  #next = 0;
  #waits = 0;
  #total = 0;
  #done = 0;
  #bytes = 0;
  #bytesDone = 0;
  #arrived = new Map<EntryPath, Set<string>>();
  #jobId = makeJobId();
  /** Measures files, not bytes. */
  #counts = false;
  #transferRate = new TransferRate();

  /** An unfinished job by its number. */
  get(id: number): UploadJob | undefined {
    return this.#jobs.get(id);
  }

  /** Every unfinished job. */
  all(): UploadJob[] {
    return [...this.#jobs.values()];
  }

  /** The id of the job that the uploads are part of until the queue has run empty. */
  get jobId(): string {
    return this.#jobId;
  }

  /** Whether anything is left to do. */
  get isBusy(): boolean {
    return this.#waits + this.active.size + this.asking.size > 0;
  }

  /** Adds a job. */
  add(job: UploadJob): void {
    this.#jobs.set(job.id, job);
    this.#total++;
    this.#bytes += job.size;
    if (job.status === "failed") this.failed.add(job);
    else this.#wait(job);
  }

  /** The number of waiting jobs. */
  get waiting(): number {
    return this.#waits;
  }

  /** The number of requests under way; one may send several jobs. */
  get requests(): number {
    return new Set([...this.active].map(({ controller }) => controller)).size;
  }

  /**
   * The next job, now active.
   *
   * @param isWanted whether that job is to be started
   * @returns null when none waits, or the next one is not wanted
   */
  start(isWanted: (job: UploadJob) => boolean = () => true): UploadJob | null {
    if (this.active.size === 0 && this.#done === 0) this.#transferRate = new TransferRate();
    for (; this.#next < this.#waiting.length; this.#next++) {
      const job = this.#waiting[this.#next];
      if (job?.status !== "waiting") continue;
      if (!isWanted(job)) return null;
      this.#next++;
      this.#waits--;
      job.status = "sending";
      this.active.add(job);
      return job;
    }
    this.#waiting = [];
    this.#next = 0;
    return null;
  }

  /** Completes a job. */
  finish(job: UploadJob): void {
    job.status = "done";
    this.active.delete(job);
    this.#jobs.delete(job.id);
    this.#done++;
    this.#bytesDone += job.size;
    const names = this.#arrived.get(job.destination) ?? new Set();
    if (names.size < NAMED) names.add(labelOf(job).split("/")[0] ?? "");
    this.#arrived.set(job.destination, names);
  }

  /** Marks a job as failed. */
  fail(job: UploadJob, why: Failure): void {
    this.#leave(job);
    Object.assign(job, { status: "failed", failure: why, sent: 0 });
    this.failed.add(job);
  }

  /** Fails all waiting jobs for the same reason. */
  failWaiting(why: Failure): void {
    for (let job = this.start(); job !== null; job = this.start()) this.fail(job, why);
  }

  /** Suspends a job until the user has answered its prompt. */
  question(job: UploadJob): void {
    this.#leave(job);
    Object.assign(job, { status: "asking", sent: 0 });
    this.asking.add(job);
  }

  /** Appends a job that failed, or had a prompt, to the queue. */
  again(job: UploadJob): void {
    this.#leave(job);
    Object.assign(job, { failure: null, sent: 0 });
    this.#wait(job);
  }

  /** Puts an active job back to the front of the queue. */
  putBack(job: UploadJob): void {
    this.#leave(job);
    Object.assign(job, { status: "waiting", sent: 0 });
    if (this.#next > 0) this.#waiting[--this.#next] = job;
    else this.#waiting.unshift(job);
    this.#waits++;
    // Jobs that were active together keep their order.
    const few = this.#waiting.slice(this.#next, this.#next + FEW).sort((a, b) => a.id - b.id);
    this.#waiting.splice(this.#next, few.length, ...few);
  }

  /** Removes an unfinished job, whatever its state. */
  drop(job: UploadJob): void {
    this.#leave(job);
    job.status = "cancelled";
    job.controller?.abort();
    this.#jobs.delete(job.id);
    this.#total--;
    this.#bytes -= job.size;
  }

  /** Adds a dropped job again. */
  revive(job: UploadJob): void {
    Object.assign(job, { status: job.isHopeless ? "failed" : "waiting", sent: 0, losses: 0 });
    if (!job.isHopeless) job.failure = null;
    this.add(job);
  }

  /** The outcome since the last call; resets the counts to the failed jobs. */
  settle(): UploadsOutcome {
    const outcome = {
      done: this.#done,
      failed: this.failed.size,
      arrived: this.#arrived,
      job: this.#jobId,
    };
    this.#jobId = makeJobId();
    this.#done = 0;
    this.#bytesDone = 0;
    this.#arrived = new Map();
    this.#total = this.failed.size;
    this.#bytes = [...this.failed].reduce((sum, { size }) => sum + size, 0);
    return outcome;
  }

  /** The state of the queue, with the rows of a range. */
  look(
    { from, to }: { from: number; to: number },
    paused: PauseReason | null = null,
  ): UploadsState {
    if (!this.isBusy && this.failed.size === 0) return NO_UPLOADS;
    const sent = [...this.active].reduce((sum, job) => sum + Math.min(job.sent, job.size), 0);
    const counts = this.#total >= MANY && this.#bytes < this.#total * SMALL_BYTES;
    if (counts !== this.#counts) this.#transferRate = new TransferRate();
    this.#counts = counts;
    const through = counts ? this.#done : this.#bytesDone + sent;
    const all = counts ? this.#total - this.failed.size : this.#bytes;
    this.#transferRate.note(through);
    const { rate, isStalled } = this.#transferRate;
    const heads = new Map([...this.active].reverse().map((job) => [job.controller, job]));
    const ofRequests = new Set([...heads.values()].reverse());
    const others = [...this.active].filter((job) => !ofRequests.has(job));
    const first = [...ofRequests, ...this.asking, ...this.failed, ...others];
    const ahead = this.#ahead(from - first.length, to - first.length);
    return {
      phase: this.isBusy ? "busy" : "settled",
      finished: null,
      paused: this.isBusy ? paused : null,
      isStalled: this.isBusy && paused === null && isStalled,
      percent: percentOf(through, all),
      total: this.#total,
      done: this.#done,
      failed: this.failed.size,
      retriable: [...this.failed].filter(({ isHopeless }) => !isHopeless).length,
      overQuota: [...this.failed].filter(({ failure }) => failure && isOverQuota(failure)).length,
      rate: counts || isStalled ? null : rate,
      left: isStalled ? null : this.#transferRate.left(all - through),
      listed: first.length + this.#waits,
      from,
      rows: [...first.slice(from, to), ...ahead].map(rowOf),
    };
  }

  /** The waiting jobs of a range. */
  #ahead(from: number, to: number): UploadJob[] {
    if (to <= 0) return [];
    if (this.#waiting.length - this.#next !== this.#waits) {
      // Some were cancelled: compact, so that indexes are right.
      this.#waiting = this.#waiting.slice(this.#next).filter(({ status }) => status === "waiting");
      this.#next = 0;
    }
    return this.#waiting.slice(this.#next + Math.max(0, from), this.#next + to);
  }

  #wait(job: UploadJob): void {
    job.status = "waiting";
    this.#waiting.push(job);
    this.#waits++;
  }

  #leave(job: UploadJob): void {
    if (job.status === "waiting") this.#waits--;
    this.active.delete(job);
    this.asking.delete(job);
    this.failed.delete(job);
  }
}
