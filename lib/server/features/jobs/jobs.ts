import { delay } from "../../../shared/delay.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { JobInfo } from "../../../shared/schemas/job.ts";
import type { JobServices } from "./job_context.ts";
import { GroupCommit } from "../../core/concurrency/group_commit.ts";
import { isStoreUnusable } from "../../core/kv/circuit_breaker.ts";
import { recordWaiting } from "./awaited.ts";
import { infoOf, type Job, type JobEntry, newJob, type Step } from "./job.ts";
import { JobControl } from "./job_control.ts";
import { awaitedDisks, mayRunHere } from "./job_disks.ts";
import { claimed, type JobRecords } from "./job_records.ts";
import { JobRun } from "./job_run.ts";
import { maxFailures, maxKept, roomFor } from "./job_size.ts";
import { isEnded } from "./job_states.ts";
import { Heartbeats } from "./lease.ts";
import { dayMs } from "../../../shared/time.ts";

/** Interval at which a job of another thread is read, and one of this thread, in milliseconds. */
const pollMs = 100;
const maxPauseMs = 60_000;

/** How long a change waits to take effect, in milliseconds; another change waits longer for it. */
const changeMs = 1_000;
const maxChangeMs = 10_000;

/** Interval at which such jobs are looked for, in milliseconds. */
const adoptMs = 2_000;

/** Most jobs of one user at work at a time, in one thread; others wait. */
const maxPerUser = 4;

/** After how many steps of a client's own job it is looked whether its user has room for more. */
const notesPerLook = 500;

/** How long they are kept, in milliseconds. */
const keptMs = 30 * dayMs;

/** Most steps of a client's own job in one commit: each has a path, of up to 15 KiB. */
const maxNotes = 32;

/** Something that a client did as a part of a job of its own. */
interface Note {
  facts: Pick<Job, "id" | "userId" | "tokenId" | "address">;
  entry: JobEntry;
  step: Step;
}

/** A job at work in this thread. */
interface Running {
  control: JobControl;
  ended: Promise<void>;
}

/**
 * The jobs of this thread. A job is a record in the store before anything is done; each of its
 * entries is noted as it is begun and when it is done. So it goes on after a restart, or in another
 * thread when its own is lost, and can be undone entry by entry.
 */
export class Jobs {
  readonly records: JobRecords;
  readonly #services: JobServices;
  readonly #running = new Map<string, Running>();
  /** Jobs that are about to be claimed. */
  readonly #starting = new Set<Job>();
  readonly #beats: Heartbeats;
  /** By user and job. */
  readonly #notes = new GroupCommit<string, Note>((_, notes) => this.#noteAll(notes), maxNotes);
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  /** @param services what the jobs work with */
  constructor(services: JobServices, records: JobRecords) {
    this.#services = services;
    this.records = records;
    this.#beats = new Heartbeats(services.store.network !== undefined);
  }

  /** Starts to continue jobs whose thread has ended, such as after a restart. */
  adopt(): void {
    this.#timer = setInterval(() => void this.#adoptLost(), adoptMs);
    Deno.unrefTimer(this.#timer);
  }

  /**
   * Begins a job.
   *
   * @throws {DomainError} `invalid_body` without entries, or with too many; `invalid_path` for one
   * that is too long; `throttled` when the user has too many unfinished jobs
   */
  async begin(
    facts: Pick<Job, "userId" | "tokenId" | "address" | "action">,
    entries: readonly JobEntry[],
  ): Promise<Job> {
    // Requests about disks that may hang come to the threads that wait for them.
    const job = { ...newJob(facts, entries), slow: awaitedDisks() };
    await this.#freeRecords(job);
    await this.records.add(job, entries);
    await this.#start(job);
    return job;
  }

  /** Notes what a client did as a part of a job of its own, with what it did at the same moment. */
  async note(
    facts: Pick<Job, "id" | "userId" | "tokenId" | "address">,
    entry: JobEntry,
    step: Step,
  ): Promise<void> {
    await this.#notes.add(`${facts.userId}/${facts.id}`, { facts, entry, step });
  }

  async #noteAll(notes: readonly Note[]): Promise<void> {
    const [first] = notes;
    if (!first) return;
    const size = { entries: 0, outcomes: 0 };
    const job = newJob({ ...first.facts, action: "upload" }, [first.entry]);
    const steps = notes.map(({ step }) => step);
    const noted = await this.records.note({ ...job, size, state: "done", total: 0 }, steps);
    const looks = (total: number) => Math.ceil(total / notesPerLook);
    if (looks(noted.total) > looks(noted.total - steps.length)) await this.#freeRecords(noted);
  }

  /** Removes the oldest ended jobs of a user where a new one needs their place. */
  async #freeRecords(job: Job): Promise<void> {
    const others = (await this.records.list(job.userId)).filter(({ id }) => id !== job.id);
    for (const each of roomFor(job, others)) await this.records.drop(each);
  }

  /**
   * Waits for a job to end or pause.
   *
   * @param signal ends the waiting, not the job
   * @returns the job as it is then
   * @throws {DomainError} `not_found`
   */
  async wait(userId: number, id: string, ms: number, signal?: AbortSignal): Promise<Job> {
    const deadline = performance.now() + ms;
    while (true) {
      const job = await this.records.get(userId, id);
      await recordWaiting(this.records, job);
      const left = deadline - performance.now();
      const ended = this.#running.get(id)?.ended;
      if (isEnded(job) || job.state === "paused") {
        await ended;
        return job;
      }
      if (left <= 0 || signal?.aborted || this.#isClosed) return job;
      const done = new AbortController();
      const pause = delay(Math.min(left, ended ? maxPauseMs : pollMs), done.signal);
      signal?.addEventListener("abort", () => done.abort(), { signal: done.signal });
      await Promise.race([pause, ...(ended ? [ended] : [])]);
      done.abort();
    }
  }

  /**
   * Pauses, resumes or cancels a job. What is done stays done.
   *
   * @throws {DomainError} `not_found`; `precondition_failed` when it is over, or being undone
   */
  async change(userId: number, id: string, state: "paused" | "running" | "cancelled") {
    let isChanged = false;
    while (!isChanged) {
      let job = await this.records.get(userId, id);
      // An earlier change takes effect first.
      if (job.wish) job = await this.wait(userId, id, maxChangeMs);
      if (isEnded(job) || job.state === "undoing") {
        throw new DomainError("precondition_failed", `Cannot change the job "${id}": it has ended`);
      }
      if (job.runner === null) isChanged = await this.#changeIdle(job, state);
      else if (state === "running") isChanged = true;
      else isChanged = await this.#order(job, state === "paused" ? "pause" : "cancel");
    }
  }

  /**
   * Begins to undo a job that is over, or what it has done so far.
   *
   * @param tokenId the API token that asks, by whose rights it is undone in place of its user's
   * @throws {DomainError} `not_found`; `precondition_failed` when nothing can be undone
   */
  async undo(userId: number, id: string, tokenId?: string): Promise<void> {
    const job = await this.records.get(userId, id);
    if (job.state === "paused" && job.steps > 0) await this.#controlOf(job).end(job, "cancel");
    const changed = await this.records.transition(job, "undo", (next) => {
      if (next.steps === 0) return null;
      return claimed({ ...next, tokenId, total: next.steps, next: 0, failed: 0, partial: 0 });
    });
    if (!changed) {
      throw new DomainError("precondition_failed", `Cannot undo the job "${id}"`);
    }
    // Failures of an earlier undo would be taken for those of this one.
    await this.records.remove(changed, "failures");
    const waiting = await this.records.transition(changed, "release");
    if (waiting) await this.#start(waiting);
  }

  /** The jobs of a user, the latest first; of an API token those that it has begun. */
  async list(userId: number, tokenId?: string): Promise<JobInfo[]> {
    return begunBy(await this.records.list(userId), tokenId).map((job) => infoOf(job));
  }

  /** The unfinished ones of {@linkcode list}. */
  async active(userId: number, tokenId?: string): Promise<JobInfo[]> {
    return begunBy(await this.records.active(userId), tokenId).map((job) => infoOf(job));
  }

  /** A job with its failures and results. */
  async info(job: Job): Promise<JobInfo> {
    const checksums = job.action === "checksum" ? await this.records.digests(job, maxFailures) : [];
    return infoOf(job, await this.records.failures(job, maxFailures), checksums);
  }

  /** Removes jobs that are too old to be undone, and ends those that were paused as long ago. */
  async expire(now = Date.now()): Promise<void> {
    const seen = new Map<number, number>();
    for (const job of await this.records.list()) {
      const count = (seen.get(job.userId) ?? 0) + 1;
      seen.set(job.userId, count);
      const isOld = job.began + keptMs < now;
      if (isOld && job.state === "paused") await this.#endPaused(job);
      if (isEnded(job) && (isOld || count > maxKept)) await this.records.drop(job);
    }
  }

  /** Ends a paused job; that of a user who is gone goes as a whole. */
  async #endPaused(job: Job): Promise<void> {
    try {
      await this.#controlOf(job).end(job, "cancel");
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "not_found")) throw error;
      await this.records.remove(job);
    }
  }

  /** Stops all work here; another thread, or the next start, continues it. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { control } of this.#running.values()) control.abort();
  }

  /** Goes on with jobs that have lost their thread, and with those that wait. */
  async #adoptLost(): Promise<void> {
    try {
      const jobs = await this.records.active();
      this.#beats.note(jobs);
      for (const job of jobs) {
        const isLost = job.state !== "paused" && this.#beats.isLost(job);
        if (isLost && !this.#running.has(job.id)) await this.#start(job);
      }
    } catch (error) {
      this.#beats.clear();
      if (!this.#isClosed && !isStoreUnusable(error)) {
        this.#services.log.line(`Cannot continue jobs: ${error}`, "error");
      }
    }
  }

  /** Changes a job without a runner. @returns false when it has been changed meanwhile */
  async #changeIdle(job: Job, state: "paused" | "running" | "cancelled"): Promise<boolean> {
    if (state === "cancelled") return await this.#controlOf(job).end(job, "cancel");
    const changed = await this.records.transition(job, state === "paused" ? "pause" : "resume");
    if (changed?.state === "queued") await this.#start(changed);
    return changed !== null;
  }

  /**
   * Has the runner of a job pause or cancel it, and waits a moment for that.
   *
   * @returns false when it has been changed meanwhile
   */
  async #order({ userId, id, runner }: Job, wish: "pause" | "cancel"): Promise<boolean> {
    const ordered = await this.records.update(userId, id, (now) => {
      if (now.runner !== runner || now.state !== "running") return null;
      return { wish: now.wish === "cancel" ? "cancel" : wish };
    });
    if (!ordered) return false;
    this.#running.get(id)?.control.abort();
    await this.wait(userId, id, changeMs);
    return true;
  }

  /**
   * Claims a job and works on it, unless its user has enough at work. A job that this thread must
   * not wait for is left to another.
   */
  async #start(job: Job): Promise<void> {
    if (this.#isClosed) return;
    if (!mayRunHere(job)) return this.#services.slowDisks?.open(job.slow ?? []);
    const running = [...this.#running.values()].map(({ control }) => control.job);
    const busy = [...this.#starting, ...running];
    const own = busy.filter(({ userId }) => userId === job.userId);
    if (own.length >= maxPerUser) return;
    this.#starting.add(job);
    try {
      const claimed = await this.records.claim(job);
      if (claimed && !this.#isClosed) this.#run(claimed);
    } finally {
      this.#starting.delete(job);
    }
  }

  #run(claimed: Job): void {
    const control = this.#controlOf(claimed);
    const ended = new JobRun(this.#services, this.records, control).run().finally(() => {
      if (this.#running.get(claimed.id)?.control === control) this.#running.delete(claimed.id);
      return this.#startWaiting(claimed.userId);
    });
    this.#running.set(claimed.id, { control, ended });
  }

  #controlOf(job: Job): JobControl {
    return new JobControl(this.#services, this.records, job, () => this.#isClosed);
  }

  async #startWaiting(userId: number): Promise<void> {
    if (this.#isClosed) return;
    try {
      const waiting = (await this.records.active(userId)).findLast((job) =>
        job.state !== "paused" && job.runner === null && mayRunHere(job)
      );
      if (waiting) await this.#start(waiting);
    } catch (error) {
      if (!this.#isClosed) this.#services.log.line(`Cannot start a job: ${error}`, "error");
    }
  }
}

function begunBy(jobs: Job[], tokenId: string | undefined): Job[] {
  return tokenId === undefined ? jobs : jobs.filter((job) => job.tokenId === tokenId);
}
