import { DomainError } from "../../shared/errors.ts";
import { type EntryPath, parentOf } from "../../shared/path.ts";
import type { Access } from "../access/access.ts";
import { viewerOf } from "../access/viewer.ts";
import type { Seen } from "../auth/session.ts";
import type { OpenCubby } from "../cubby.ts";
import { isStoreUnusable } from "../kv/reach.ts";
import type { CurrentEntry, Job, JobEntry, JobFailure, Step } from "./job.ts";
import type { JobRecords } from "./job_records.ts";
import type { JobContext } from "./job_context.ts";
import { notifyOfEnd } from "./awaited.ts";
import { Lease } from "./lease.ts";
import { Counter } from "../metrics/metrics.ts";
import { inodeOf, recoverEntry, runEntry } from "./run_entry.ts";
import { areMounted, disksOf, isOnSlowDisk } from "./job_disks.ts";
import { undoStep } from "./undo_step.ts";

/** Interval at which a job shows that it is at work, and heeds wishes, in milliseconds. */
const beatMs = 500;

const running = new Counter("cubby_jobs_running");
const over = {
  done: new Counter("cubby_jobs_ended_total", { state: "done" }),
  cancelled: new Counter("cubby_jobs_ended_total", { state: "cancelled" }),
  undone: new Counter("cubby_jobs_ended_total", { state: "undone" }),
};

/** The work on one job that this thread has claimed. */
export class JobRun {
  readonly userId: number;
  readonly #cubby: OpenCubby;
  readonly #records: JobRecords;
  readonly #job: Job;
  readonly #isClosed: () => boolean;
  readonly #controller = new AbortController();
  #progress: Job["progress"];
  #disks: string[];
  readonly #lease = new Lease();

  /** @param isClosed whether the thread has ended: then nothing more is noted */
  constructor(cubby: OpenCubby, records: JobRecords, job: Job, isClosed: () => boolean) {
    this.#cubby = cubby;
    this.#records = records;
    this.#job = job;
    this.#isClosed = isClosed;
    this.#progress = job.progress;
    this.#disks = job.disks ?? [];
    this.userId = job.userId;
  }

  /** Works on the job until it is over, or is to pause. Never rejects. */
  async run(): Promise<void> {
    running.add(1);
    let heeding: Promise<void> | null = null;
    const beat = setInterval(() => {
      heeding ??= this.#heed().finally(() => heeding = null);
    }, beatMs);
    try {
      if (this.#job.state === "undoing") await this.#undo();
      else await this.#work();
    } catch (error) {
      await this.#fail(error);
    } finally {
      clearInterval(beat);
      await heeding;
      running.add(-1);
    }
  }

  /** Stops the work at its next step. */
  abort(): void {
    this.#controller.abort();
  }

  /**
   * Ends the job: nothing is left of unfinished copies.
   *
   * @returns false when another has changed it meanwhile
   */
  async end(job: Job, state: "done" | "cancelled" | "undone"): Promise<boolean> {
    if (state === "cancelled") await this.#leaveEntry(job);
    const end = { state, ended: Date.now(), current: null, runner: null, wish: null };
    const ended = await this.#records.update(job.userId, job.id, (now) => {
      return now.runner === job.runner && now.state === job.state ? { ...now, ...end } : null;
    });
    if (ended) {
      over[state].add();
      await notifyOfEnd(this.#cubby, ended).catch((error) => {
        this.#cubby.log.line(`Cannot tell of the end of the job "${job.id}": ${error}`, "error");
      });
    }
    if (ended) await this.#records.remove(job, "entries");
    return ended !== null;
  }

  /** Removes what a pause has left of the present entry, which will not be gone on with. */
  async #leaveEntry(job: Job): Promise<void> {
    const entry = (await this.#records.entries(job))[job.next];
    if (!entry?.to) return;
    const { user, settings } = await this.#seenByUser();
    const access = this.#cubby.gate.enter(viewerOf(user, settings.rules));
    await this.#removeStaging(access, job, entry.to);
  }

  get #signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * A job of a user who is gone goes as well, and that of a dead API token ends; any other is tried
   * again later.
   */
  async #fail(error: unknown): Promise<void> {
    if (this.#isClosed() || this.#signal.aborted) return;
    if (error instanceof DomainError && error.code === "not_found") {
      return await this.#records.remove(this.#job);
    }
    if (error instanceof DomainError && error.code === "not_signed_in") {
      const job = await this.#records.get(this.userId, this.#job.id);
      return void await this.end(job, "cancelled");
    }
    this.#cubby.log.line(`Cannot go on with the job "${this.#job.id}": ${error}`, "error");
  }

  async #work(): Promise<void> {
    const entries = await this.#records.entries(this.#job);
    await this.#noteDisks(entries);
    let job: Job | null = this.#job;
    while (job) {
      // An entry that an earlier run had all but done is finished first.
      if (this.#signal.aborted || (job.wish && !this.#isUnsure(job))) return await this.#stop();
      const entry = entries[job.next];
      if (!entry) return void await this.end(job, "done");
      const context = await this.#enter();
      if (isOnSlowDisk(context.access, entry)) return await this.#pause();
      if (!areMounted(this.#disks)) return await this.#pause();
      const came = await this.#settle(context, job, entry);
      if (!came) return await this.#stop();
      if (!areMounted(this.#disks)) return await this.#backOut(context, job, entry, came);
      if (!await this.#isSure(came)) return;
      const next = entries[job.next + 1];
      job = await this.#records.settle(job, came, next ? begun(context, next) : null);
    }
  }

  /** @returns what came of an entry; null when the work was stopped meanwhile */
  async #settle(
    context: JobContext,
    job: Job,
    entry: JobEntry,
  ): Promise<Step | JobFailure | null> {
    let current = job.current ?? begun(context, entry);
    const save = async (change: Partial<CurrentEntry>) => {
      current = { ...current, ...change };
      await this.#save(job, current);
    };
    if (!job.current) await save({});
    const report = (now: Job["progress"]) => this.#progress = now;
    const all = { ...context, current, save, report };
    if (!this.#isUnsure(job)) return await this.#attempt(entry.path, () => runEntry(all, entry));
    const came = await this.#attempt(entry.path, async () => {
      const recovered = await recoverEntry(all, entry);
      return recovered ?? (job.wish ? null : await runEntry(all, entry));
    });
    if (came && entry.to) await this.#removeStaging(context.access, job, entry.to);
    return came;
  }

  /** A disk is not mounted any more: what has gone to the folder that was below it comes back. */
  async #backOut(
    context: JobContext,
    job: Job,
    entry: JobEntry,
    came: Step | JobFailure,
  ): Promise<void> {
    const isThere = "to" in came && came.ino !== null &&
      inodeOf(context.access, "copy", came.to) === came.ino;
    if (isThere) {
      await this.#undoStep(came, false);
      await this.#save(job, begun(context, entry));
    }
    await this.#pause();
  }

  /** Nobody knows what has become of an entry or step that an earlier run had begun. */
  #isUnsure(job: Job): boolean {
    return job === this.#job && job.current !== null;
  }

  /** @returns null when the work was stopped meanwhile; else what it did, or why it could not */
  async #attempt<T>(path: EntryPath, work: () => Promise<T>): Promise<T | JobFailure | null> {
    try {
      return await work();
    } catch (error) {
      // It is no fault of the entry, which is dealt with when the store is back.
      if (isStoreUnusable(error)) throw error;
      return this.#signal.aborted ? null : this.#failureOf(error, path);
    }
  }

  /** Why an entry failed; what is no refusal is logged. */
  #failureOf(error: unknown, path: EntryPath): JobFailure {
    if (error instanceof DomainError) return { path, code: error.code, message: error.message };
    if (!this.#isClosed()) {
      this.#cubby.log.line(`The job "${this.#job.id}" failed with an entry: ${error}`, "error");
    }
    return { path, code: "internal", message: `Cannot deal with "${path}": an internal error` };
  }

  async #undo(): Promise<void> {
    const job = this.#job;
    const failed = await this.#records.failedSteps(job);
    const steps = await this.#records.steps(job);
    const left = steps.filter(({ key, value: { kind } }) =>
      kind !== "final" && kind !== "digest" && !failed.has(key.at(-1))
    );
    for (const [index, { key, value: step }] of left.entries()) {
      if (this.#signal.aborted) return await this.#stop();
      if (!areMounted(this.#disks)) return;
      const came = await this.#undoStep(step, index === 0 && this.#isUnsure(job));
      if (!came) return await this.#stop();
      if (came !== "done" && !(areMounted(this.#disks) && await this.#isSure(came))) return;
      if (!await this.#records.undid(job, key, came === "done" ? null : came)) return;
    }
    await this.end(job, "undone");
  }

  /**
   * Whether what came of an entry can be relied on. When the served folder is not in its place, no
   * entry is: the job is left as it is, to be gone on with when the folder is there again.
   */
  async #isSure(came: Step | JobFailure): Promise<boolean> {
    const isGone = !("kind" in came) || came.kind === "final";
    return !isGone || await this.#cubby.rootWatch.stateNow() === "served";
  }

  async #noteDisks(entries: readonly JobEntry[]): Promise<void> {
    const { userId, id } = this.#job;
    if (this.#disks.length > 0) return;
    const disks = disksOf((await this.#enter()).access, entries);
    if (disks.length === 0) return;
    this.#disks = disks;
    await this.#records.update(userId, id, (now) => ({ ...now, disks }));
  }

  /** @param isUnsure whether an earlier run had begun it */
  async #undoStep(step: Step, isUnsure: boolean): Promise<"done" | JobFailure | null> {
    const job = this.#job;
    const context = await this.#enter();
    const ino = "ino" in step ? step.ino : null;
    let current = isUnsure && job.current ? job.current : { ino, since: Date.now() };
    const save = async (change: Partial<CurrentEntry>) => {
      current = { ...current, ...change };
      await this.#save(job, current);
    };
    if (!isUnsure) await save({});
    const report = (now: Job["progress"]) => this.#progress = now;
    const path = "to" in step ? step.to : job.from;
    const came = await this.#attempt(path, async () => {
      await undoStep({ ...context, current, save, report }, step, isUnsure);
      return "done" as const;
    });
    if (came && isUnsure && step.kind === "moved") {
      await this.#removeStaging(context.access, job, step.from);
    }
    return came;
  }

  /** Shows that it is at work, and heeds what its user wishes. */
  async #heed(): Promise<void> {
    const at = performance.now();
    try {
      const now = await this.#records.update(this.userId, this.#job.id, (now) => {
        if (now.runner !== this.#job.runner) return null;
        return { ...now, progress: this.#progress, beat: Date.now() };
      });
      if (!now || now.wish) this.abort();
      this.#lease.renew(at);
    } catch (error) {
      // The store is full or closed: the work itself will find out.
      if (this.#lease.isOver(error)) this.abort();
    }
  }

  /** Notes the present entry; stops the work when another has taken the job over. */
  async #save(job: Job, current: CurrentEntry): Promise<void> {
    const now = await this.#records.update(job.userId, job.id, (now) => {
      return now.runner === job.runner ? { ...now, current, beat: Date.now() } : null;
    });
    if (now) return;
    this.abort();
    throw new Error("it was taken over");
  }

  /** Pauses or cancels the job as its user wishes; one that is cut off is left to others. */
  async #stop(): Promise<void> {
    if (this.#isClosed()) return;
    const job = await this.#records.get(this.userId, this.#job.id);
    if (job.runner !== this.#job.runner) return;
    if (job.wish === "cancel") await this.end(job, "cancelled");
    else await this.#pause();
  }

  async #pause(): Promise<void> {
    const paused = { state: "paused" as const, wish: null, runner: null };
    let isCancelled = false;
    await this.#records.update(this.userId, this.#job.id, (now) => {
      if (now.runner !== this.#job.runner) return null;
      isCancelled = now.wish === "cancel";
      return isCancelled ? null : { ...now, ...paused };
    });
    // Its user has come to wish for more.
    if (isCancelled) await this.#stop();
  }

  async #removeStaging(access: Access, job: Job, to: EntryPath): Promise<void> {
    const folders = [parentOf(to), to];
    await this.#cubby.transferWorker.removeStaging(access, folders, job.staging);
  }

  /** @throws {DomainError} `not_found` when the user is gone; `not_signed_in` when the API token is */
  async #enter(): Promise<JobContext> {
    const { gate } = this.#cubby;
    const { user, settings } = await this.#seen();
    const access = gate.enter(viewerOf(user, settings.rules));
    return { cubby: this.#cubby, job: this.#job, user, settings, access, signal: this.#signal };
  }

  async #seen(): Promise<Seen> {
    const { tokenId } = this.#job;
    if (tokenId === undefined) return await this.#seenByUser();
    const seen = await this.#cubby.apiTokens.current(tokenId);
    if (seen) return seen;
    throw new DomainError("not_signed_in", "Cannot go on: the API token that began this is dead");
  }

  async #seenByUser(): Promise<Seen> {
    const { users, settings } = this.#cubby;
    return { user: await users.acting(this.userId), settings: await settings.get() };
  }
}

function begun({ access, job }: JobContext, { path }: JobEntry): CurrentEntry {
  return { ino: inodeOf(access, job.action, path), since: Date.now() };
}
