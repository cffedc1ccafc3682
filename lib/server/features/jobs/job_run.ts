import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, joinPaths, parsePath } from "../../../shared/path.ts";
import type { LeftOut } from "../../files/transfer/progress.ts";
import { isStoreUnusable } from "../../core/kv/circuit_breaker.ts";
import { Counter } from "../../core/metrics/metrics.ts";
import { EntryCursor } from "./entry_parts.ts";
import type { CurrentEntry, Job, JobEntry, JobFailure, Step } from "./job.ts";
import {
  type EntryContext,
  hookedBy,
  type JobContext,
  type JobServices,
  recordActivity,
} from "./job_context.ts";
import type { JobControl } from "./job_control.ts";
import { areMounted, disksApart, disksOf } from "./job_disks.ts";
import type { JobRecords } from "./job_records.ts";
import {
  inodeOf,
  recoverEntry,
  recoverTransfer,
  resumableBy,
  runEntry,
  trashedSince,
} from "./run_entry.ts";
import { removeEmptyFolder } from "../../files/transfer/finish_transfer.ts";
import { moveEntry } from "../../files/transfer/start_transfer.ts";
import { transferHooks } from "../commands/hooks.ts";

const running = new Counter("cubby_jobs_running");

/** The work on one job that this thread has claimed. */
export class JobRun {
  readonly #services: JobServices;
  readonly #records: JobRecords;
  readonly #control: JobControl;
  readonly #job: Job;
  #disks: string[];
  /** What is not copied of the present entry. */
  #leftOut: LeftOut | undefined;

  /** @param control of the job */
  constructor(services: JobServices, records: JobRecords, control: JobControl) {
    this.#services = services;
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
    this.#services.log.line(`Cannot continue the job "${this.#job.id}": ${error}`, "error");
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
      this.#services.log.line(`The job "${this.#job.id}" failed on an entry: ${error}`, "error");
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
    return !isGone || await this.#services.rootWatch.stateNow() === "served";
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

/** Says which entries were not copied, moved, archived or extracted; null when all were. */
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
  const isArchive = action === "extract";
  const kinds = isArchive ? "pipes, devices and absolute paths" : "pipes, sockets and devices";
  return {
    path: isArchive ? path : joinPaths(path, parsePath(`/${name}`).path),
    code: "not_a_file",
    message: `Cannot ${action} all of "${path}": ${kinds} were left out: ${names}`,
    leftOut: { folder: path, count, first },
  };
}

/**
 * Undoes one step of a job, if the entry is still the one that it was about. Nothing is lost by it:
 * what had come goes to the trash, what was replaced meanwhile stays.
 *
 * @param isUnsure whether it was begun by a run that was killed, and may be done
 * @throws {DomainError} `precondition_failed` for another entry; `exists` when the former place is
 * taken; `not_found`, `forbidden`, `no_trash`
 */
async function undoStep(
  context: EntryContext,
  step: Step,
  isUnsure: boolean,
): Promise<void> {
  if (step.kind === "moved") await moveBack(context, step, isUnsure);
  else if (step.kind === "arrived") await takeAway(context, step, isUnsure);
  else if (step.kind === "made") await removeMade(context, step);
  else if (step.kind === "trashed") await restore(context, step.id, false);
}

async function moveBack(
  context: EntryContext,
  { from, to, ino, version }: Extract<Step, { kind: "moved" }>,
  isUnsure: boolean,
): Promise<void> {
  const { services: { transferWorker, observers }, access, signal } = context;
  const isBack = isUnsure && await recoverTransfer(context, { path: to, to: from }, "move");
  if (!isBack) {
    const { info } = access.rename(to);
    if (info.ino !== ino) throw replacedError(to);
    const hooks = transferHooks(access, "move", to, from);
    const terms = { override: false, rename: false, signal, observers };
    const options = { ...terms, ...resumableBy(context) };
    await hookedBy(context, hooks, () => moveEntry(access, transferWorker, to, from, options));
  }
  if (version !== undefined) await restore(context, version, false);
}

async function takeAway(
  context: EntryContext,
  { to: path, ino, version }: Extract<Step, { kind: "arrived" }>,
  isUnsure: boolean,
): Promise<void> {
  const { services: { trash }, access, job, current, signal } = context;
  const isThere = access.create(path).existing?.info.ino === ino;
  if (version === undefined) {
    if (isUnsure && !isThere && await trashedSince(trash, job.userId, current)) return;
    const file = () => access.remove(path).real;
    await hookedBy(
      context,
      { event: "delete", action: "trash", access, path, file },
      async () => void await trash.discard(access, job.userId, path, signal, ino),
    );
    return;
  }
  if (!isThere && current.version !== version) throw replacedError(path);
  await restore(context, version, true);
}

/** Restores an entry of the trash, unless a run that was killed has done so. */
async function restore(context: EntryContext, id: string, replaces: boolean): Promise<void> {
  const { services, access, job: { userId }, current, save } = context;
  const wasBegun = current.version === id;
  try {
    await services.trash.records.get(userId, id);
    if (!wasBegun) await save({ version: id });
    const path = await services.trash.restore(access, userId, id, replaces);
    services.notifyChanged(access, path);
    recordActivity(context, "restore", path);
  } catch (error) {
    const isGone = error instanceof DomainError && error.code === "not_found";
    if (!(isGone && wasBegun)) throw error;
  }
}

/** Removes a folder that was made for uploads, unless something else has come into it. */
async function removeMade(
  context: EntryContext,
  { to, ino }: Extract<Step, { kind: "made" }>,
): Promise<void> {
  const { services, access } = context;
  const source = access.remove(to);
  if (source.info.ino !== ino) throw replacedError(to);
  await services.observers.removing(source, () => {
    if (removeEmptyFolder(source.real)) return Promise.resolve();
    throw new DomainError("precondition_failed", `Cannot undo it: "${to}" is not empty`);
  });
  services.notifyChanged(access, to);
  recordActivity(context, "delete", to);
}

function replacedError(path: string): DomainError {
  const text = `Cannot undo it: the entry at "${path}" was replaced or removed`;
  return new DomainError("precondition_failed", text);
}
