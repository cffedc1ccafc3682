import { DomainError } from "../../shared/errors.ts";
import { type EntryPath, joinPaths, parsePath } from "../../shared/path.ts";
import type { OpenCubby } from "../cubby/cubby.ts";
import type { LeftOut } from "../files/transfer/progress.ts";
import { isStoreUnusable } from "../kv/circuit_breaker.ts";
import { Counter } from "../metrics/metrics.ts";
import { EntryCursor } from "./entry_parts.ts";
import type { CurrentEntry, Job, JobEntry, JobFailure, Step } from "./job.ts";
import type { JobContext } from "./job_context.ts";
import type { JobControl } from "./job_control.ts";
import { areMounted, disksApart, disksOf } from "./job_disks.ts";
import type { JobRecords } from "./job_records.ts";
import { inodeOf, recoverEntry, runEntry } from "./run_entry.ts";
import { undoStep } from "./undo_step.ts";

const running = new Counter("cubby_jobs_running");

/** The work on one job that this thread has claimed. */
export class JobRun {
  readonly #cubby: OpenCubby;
  readonly #records: JobRecords;
  readonly #control: JobControl;
  readonly #job: Job;
  #disks: string[];
  /** What is not copied of the present entry. */
  #leftOut: LeftOut | undefined;

  /** @param control of the job */
  constructor(cubby: OpenCubby, records: JobRecords, control: JobControl) {
    this.#cubby = cubby;
    this.#records = records;
    this.#control = control;
    this.#job = control.job;
    this.#disks = control.job.disks ?? [];
  }

  /** Works on the job until it is over, or is to pause. Never rejects. */
  async run(): Promise<void> {
    running.add(1);
    try {
      await this.#control.whileAtWork(async () => {
        const work = this.#job.state === "undoing" ? this.#undo() : this.#work();
        await work.catch((error) => this.#fail(error));
      });
    } finally {
      running.add(-1);
    }
  }

  /**
   * A job of a user who is gone goes as well, and that of a dead API token ends; any other is tried
   * again later.
   */
  async #fail(error: unknown): Promise<void> {
    if (this.#control.isClosed || this.#control.signal.aborted) return;
    if (error instanceof DomainError && error.code === "not_found") {
      return await this.#records.remove(this.#job);
    }
    if (error instanceof DomainError && error.code === "not_signed_in") {
      const job = await this.#records.get(this.#job.userId, this.#job.id);
      return void await this.#control.end(job, "abandon");
    }
    this.#cubby.log.line(`Cannot continue the job "${this.#job.id}": ${error}`, "error");
  }

  async #work(): Promise<void> {
    await this.#recordDisks();
    const entries = new EntryCursor(this.#records.entries(this.#job));
    let job: Job | null = this.#job;
    while (job) {
      // An entry that an earlier run had all but done is finished first.
      if (this.#control.signal.aborted || (job.wish && !this.#isUnsure(job))) {
        return await this.#control.stop();
      }
      const entry = await entries.at(job.next);
      if (!entry) return void await this.#control.end(job, "finish");
      const context = await this.#control.enter();
      const apart = disksApart(context.access, entry);
      if (apart.length > 0) return await this.#control.leaveTo(apart);
      if (!areMounted(this.#disks)) return await this.#control.pause();
      const outcome = await this.#settle(context, job, entry);
      if (!outcome) return await this.#control.stop();
      if (!areMounted(this.#disks)) return await this.#backOut(context, job, entry, outcome);
      if (!await this.#isSure(outcome)) return;
      const next = await entries.at(job.next + 1);
      const after = next ? begun(context, next) : null;
      job = await this.#records.recordOutcome(
        job,
        outcome,
        after,
        leftOutFailure(job.action, entry, this.#leftOut),
      );
    }
  }

  /** @returns the outcome of an entry; null when the work was stopped meanwhile */
  async #settle(
    context: JobContext,
    job: Job,
    entry: JobEntry,
  ): Promise<Step | JobFailure | null> {
    let current = job.current ?? begun(context, entry);
    this.#leftOut = current.leftOut;
    const save = async (change: Partial<CurrentEntry>) => {
      current = { ...current, ...change };
      this.#leftOut = current.leftOut;
      await this.#control.save(job, current);
    };
    if (!job.current) await save({});
    const report = (now: Job["progress"]) => this.#control.progress = now;
    const all = { ...context, current, save, report };
    if (!this.#isUnsure(job)) return await this.#attempt(entry.path, () => runEntry(all, entry));
    const outcome = await this.#attempt(entry.path, async () => {
      const recovered = await recoverEntry(all, entry);
      return recovered ?? (job.wish ? null : await runEntry(all, entry));
    });
    if (outcome && entry.to) await this.#control.removeStaging(context.access, entry.to);
    return outcome;
  }

  /** Takes an entry back after its disk was unmounted: it has gone to the folder below the mount. */
  async #backOut(
    context: JobContext,
    job: Job,
    entry: JobEntry,
    outcome: Step | JobFailure,
  ): Promise<void> {
    const isThere = "to" in outcome && outcome.ino !== null &&
      inodeOf(context.access, "copy", outcome.to) === outcome.ino;
    if (isThere) {
      await this.#undoStep(outcome, false);
      await this.#control.save(job, begun(context, entry));
    }
    await this.#control.pause();
  }

  /** Whether an earlier run had begun the entry or step, so that its outcome is not known. */
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
      return this.#control.signal.aborted ? null : this.#failureOf(error, path);
    }
  }

  /** Why an entry failed; what is no refusal is logged. */
  #failureOf(error: unknown, path: EntryPath): JobFailure {
    if (error instanceof DomainError) return { path, code: error.code, message: error.message };
    if (!this.#control.isClosed) {
      this.#cubby.log.line(`The job "${this.#job.id}" failed on an entry: ${error}`, "error");
    }
    return { path, code: "internal", message: `Cannot process "${path}": an internal error` };
  }

  async #undo(): Promise<void> {
    const job = this.#job;
    const failed = await this.#records.failedSteps(job);
    const steps = await this.#records.steps(job);
    const left = steps.filter(({ key, value: { kind } }) =>
      kind !== "final" && kind !== "digest" && !failed.has(key.at(-1))
    );
    for (const [index, { key, value: step }] of left.entries()) {
      if (this.#control.signal.aborted) return await this.#control.stop();
      if (!areMounted(this.#disks)) return;
      const apart = await this.#disksApartOf(step);
      if (apart.length > 0) return await this.#control.leaveTo(apart);
      const outcome = await this.#undoStep(step, index === 0 && this.#isUnsure(job));
      if (!outcome) return await this.#control.stop();
      if (outcome !== "done" && !(areMounted(this.#disks) && await this.#isSure(outcome))) return;
      if (!await this.#records.recordUndone(job, key, outcome === "done" ? null : outcome)) return;
    }
    await this.#control.end(job, "finish");
  }

  /**
   * Whether the outcome of an entry can be relied on. When the served folder is not in its place, no
   * outcome is: the job is left as it is, and goes on when the folder is there again.
   */
  async #isSure(outcome: Step | JobFailure): Promise<boolean> {
    const isGone = !("kind" in outcome) || outcome.kind === "final";
    return !isGone || await this.#cubby.rootWatch.stateNow() === "served";
  }

  async #recordDisks(): Promise<void> {
    const { userId, id } = this.#job;
    if (this.#disks.length > 0) return;
    const entries = this.#records.entries(this.#job);
    const disks = await disksOf((await this.#control.enter()).access, entries);
    if (disks.length === 0) return;
    this.#disks = disks;
    await this.#records.update(userId, id, () => ({ disks }));
  }

  async #disksApartOf(step: Step): Promise<string[]> {
    if (!("to" in step)) return [];
    const entry = { path: step.to, to: step.kind === "moved" ? step.from : null };
    return disksApart((await this.#control.enter()).access, entry);
  }

  /** @param isUnsure whether an earlier run had begun it */
  async #undoStep(step: Step, isUnsure: boolean): Promise<"done" | JobFailure | null> {
    const job = this.#job;
    const context = await this.#control.enter();
    const ino = "ino" in step ? step.ino : null;
    let current = isUnsure && job.current ? job.current : { ino, since: Date.now() };
    const save = async (change: Partial<CurrentEntry>) => {
      current = { ...current, ...change };
      await this.#control.save(job, current);
    };
    if (!isUnsure) await save({});
    const report = (now: Job["progress"]) => this.#control.progress = now;
    const path = "to" in step ? step.to : job.from;
    const outcome = await this.#attempt(path, async () => {
      await undoStep({ ...context, current, save, report }, step, isUnsure);
      return "done" as const;
    });
    if (outcome && isUnsure && step.kind === "moved") {
      await this.#control.removeStaging(context.access, step.from);
    }
    return outcome;
  }
}

function begun({ access, job }: JobContext, { path }: JobEntry): CurrentEntry {
  return { ino: inodeOf(access, job.action, path), since: Date.now() };
}

/** Says which entries of a folder were not copied or moved with it; null when all were. */
function leftOutFailure(
  action: Job["action"],
  { path }: JobEntry,
  leftOut: LeftOut | undefined,
): JobFailure | null {
  if (!leftOut) return null;
  const { count, first } = leftOut;
  const [name = ""] = first;
  const more = count - first.length;
  const names = first.map((each) => `"${each}"`).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return {
    path: joinPaths(path, parsePath(`/${name}`).path),
    code: "not_a_file",
    message:
      `Cannot ${action} all of "${path}": pipes, sockets and devices were left out: ${names}`,
    leftOut: { folder: path, count, first },
  };
}
