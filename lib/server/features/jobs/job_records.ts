import { DomainError } from "../../../shared/errors.ts";
import { nameOf } from "../../../shared/path.ts";
import { jobId } from "../../../shared/schemas/job.ts";
import { Collection, Index } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";
import {
  type CurrentEntry,
  type Digest,
  type Job,
  type JobEntry,
  type JobFailure,
  noProgress,
  type Step,
} from "./job.ts";
import { type EntryPart, entryParts, type EntryPiece, joinedParts } from "./entry_parts.ts";
import { isKept, sizeWith } from "./job_size.ts";
import { after, isEnded, type JobEvent } from "./job_states.ts";

/** A change of a job that is no transition of its state. */
export type JobPatch = Partial<Omit<Job, "id" | "userId" | "state" | "runner" | "ended">>;

/** The index of jobs that have not ended: empty values. */
export const activeJobs = new Index<Job, [userId: number, id: string]>(
  "active_jobs",
  (job, userId, id) => isEnded(job) ? [] : [[userId, id]],
);

/** A job, at most 60 KiB: some paths, and up to a hundred names. */
export const jobRecords = new Collection<Job, [userId: number, id: string]>("jobs", {
  indexes: [activeJobs],
});

/** The parts of a job besides its record. */
type JobPart = "entries" | "steps" | "failures";

/**
 * A part of a job, at most 40 KiB: a few of its entries, the way back of one of them, or why one
 * failed.
 */
export const jobParts = new Collection<
  EntryPiece[] | Step | JobFailure,
  [userId: number, id: string, part: JobPart, index: number]
>("job_parts");

/** Adds to a commit what is written together with a job, as it will be and as it was. */
type Addition = (operation: Deno.AtomicOperation, job: Job, former: Job) => Deno.AtomicOperation;

/** Most records of entries in one commit: its values together have less than 800 KiB. */
const maxParts = 10;

/** Most mutations of one commit. */
const batch = 500;

/** How many names of arrived entries are kept, and of how many characters in all. */
const maxArrived = 100;
const maxArrivedLength = 8_000;

/** The jobs of all users in the store. */
export class JobRecords {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds a job: its entries first. Where the store fails nothing of it stays. */
  async add(job: Job, entries: readonly JobEntry[]): Promise<void> {
    try {
      await this.#add(job, entries);
    } catch (error) {
      await this.remove(job);
      throw error;
    }
  }

  async #add(job: Job, entries: readonly JobEntry[]): Promise<void> {
    const { userId, id } = job;
    const write = async (parts: readonly EntryPart[]) =>
      void await this.#store.atomic((operation) =>
        parts.reduce(
          (all, part) => jobParts.put(all, [userId, id, "entries", part.first], part.entries),
          operation,
        )
      );
    let parts: EntryPart[] = [];
    for (const part of entryParts(entries)) {
      parts.push(part);
      if (parts.length < maxParts) continue;
      await write(parts);
      parts = [];
    }
    await write(parts);
    await jobRecords.set(this.#store, [userId, id], job);
  }

  /** @throws {DomainError} `not_found` */
  async get(userId: number, id: string): Promise<Job> {
    const job = jobId.test(id) && await jobRecords.get(this.#store, userId, id);
    if (job) return job;
    throw new DomainError("not_found", `Cannot find the job "${id}"`);
  }

  /** The jobs of a user, or all, the latest first. */
  async list(userId?: number): Promise<Job[]> {
    return (await jobRecords.list(this.#store, userId)).sort((a, b) => b.began - a.began);
  }

  /** The unfinished jobs of a user, or of all users, the latest first. */
  async active(userId?: number): Promise<Job[]> {
    const keys = await this.#store.list(activeJobs.prefix(...userId === undefined ? [] : [userId]));
    const jobs = await Promise.all(
      keys.map(({ key: [, owner, id] }) => jobRecords.get(this.#store, Number(owner), String(id))),
    );
    // A job may have ended since its key was listed.
    return jobs.flatMap((job) => job && !isEnded(job) ? job : [])
      .sort((a, b) => b.began - a.began);
  }

  /** The names of folders that hold unfinished copies, which no sweep may remove. */
  async stagings(): Promise<string[]> {
    return (await this.active()).map(({ staging }) => staging);
  }

  /**
   * Changes a job, if it is there, but not its state.
   *
   * @param change returns null to leave it as it is
   * @param add what is written together with it
   * @returns the job as it is then; null when it is gone, or was left as it is
   */
  update(
    userId: number,
    id: string,
    change: (job: Job) => JobPatch | null,
    add?: Addition,
  ): Promise<Job | null> {
    return this.#commit({ userId, id }, (now) => {
      const patch = change(now);
      return patch && { ...now, ...patch };
    }, add);
  }

  /**
   * Changes the state of a job, if its run is that of the job as it was seen.
   *
   * @param change what else changes; null to leave the job as it is
   * @returns the job as it is then; null when the event may not happen to it any more
   */
  transition(
    seen: Job,
    event: JobEvent,
    change: (next: Job, now: Job) => Job | null = (next) => next,
  ): Promise<Job | null> {
    return this.#commit(seen, (now) => {
      const next = now.runner === seen.runner ? after(now, event) : null;
      return next && change(next, now);
    });
  }

  /**
   * Takes a job for a run, if it is as it was seen.
   *
   * @returns null when another has taken or changed it, or it is over
   */
  claim(seen: Job): Promise<Job | null> {
    return this.transition(seen, "claim", (next, now) => {
      return now.beat === seen.beat ? claimed(next) : null;
    });
  }

  async #commit(
    { userId, id }: Pick<Job, "userId" | "id">,
    change: (job: Job) => Job | null,
    add: Addition = (operation) => operation,
  ): Promise<Job | null> {
    const changed = await jobRecords.update(
      this.#store,
      [userId, id],
      (now) => now && change(now) || undefined,
      (operation, next, former) => next && former && add(operation, next, former),
    );
    return changed ?? null;
  }

  /**
   * Notes the outcome of the present entry, together with the change to the next.
   *
   * @param leftOut what was not done of an entry that was done otherwise
   * @returns null when another has taken the job over
   */
  recordOutcome(
    job: Job,
    outcome: Step | JobFailure,
    next: CurrentEntry | null,
    leftOut: JobFailure | null = null,
  ): Promise<Job | null> {
    const isStep = "kind" in outcome;
    const isPartial = isStep && leftOut !== null;
    return this.update(job.userId, job.id, (now) => {
      if (now.runner !== job.runner || now.next !== job.next) return null;
      const sized = { ...now, ...sizeWith(now, outcome) };
      return {
        ...noted(now, outcome),
        ...isPartial ? sizeWith(sized, leftOut) : { size: sized.size },
        next: now.next + 1,
        failed: now.failed + (isStep && !isPartial ? 0 : 1),
        ...isPartial && { partial: (now.partial ?? 0) + 1 },
        progress: noProgress,
        current: next,
        beat: Date.now(),
      };
    }, (operation, _, now) => {
      const key = partKey(job, isStep ? "steps" : "failures", job.next);
      const set = isKept(now, outcome) ? operation.set(key, outcome) : operation;
      if (!isPartial || !isKept(now, leftOut)) return set;
      return set.set(partKey(job, "failures", job.next), leftOut);
    });
  }

  /** Adds steps to a job that the client does, which begins with the first. */
  async note(job: Job, steps: readonly Step[]): Promise<Job> {
    return await jobRecords.update(this.#store, [job.userId, job.id], (stored) => {
      const now = stored ?? job;
      if (now.action !== job.action || now.state !== "done") {
        throw new DomainError(
          "exists",
          `Cannot add to the job "${job.id}": the id belongs to another job`,
        );
      }
      return steps.reduce(withNoted, now);
    }, (operation, _, stored) => {
      let now = stored ?? job;
      for (const step of steps) {
        if (isKept(now, step)) operation.set(partKey(job, "steps", now.next), step);
        now = withNoted(now, step);
      }
    });
  }

  /** The entries of a job in their order, a few records at a time. */
  entries(job: Job): AsyncGenerator<JobEntry, undefined> {
    return joinedParts(this.#entryPieces(job));
  }

  async *#entryPieces({ userId, id }: Job): AsyncGenerator<EntryPiece[]> {
    const prefix = jobParts.prefix(userId, id, "entries");
    for (let first = 0;;) {
      const start = jobParts.key(userId, id, "entries", first);
      const found = await this.#store.read((kv) =>
        Array.fromAsync(kv.list<EntryPiece[]>({ prefix, start }, { limit: maxParts }))
      );
      for (const { value } of found) yield value;
      const last = found.at(-1);
      if (!last || found.length < maxParts) return;
      first = Number(last.key.at(-1)) + 1;
    }
  }

  /** The steps, the last first. */
  async steps({ userId, id }: Job): Promise<Deno.KvEntry<Step>[]> {
    return (await this.#store.list<Step>(jobParts.prefix(userId, id, "steps"))).reverse();
  }

  /** The first failures. @param max how many of them */
  failures(job: Job, max: number): Promise<JobFailure[]> {
    return this.#first<JobFailure>(job, "failures", max);
  }

  /** The first checksums, likewise. */
  async digests(job: Job, max: number): Promise<Omit<Digest, "kind">[]> {
    const steps = await this.#first<Step>(job, "steps", max);
    return steps.flatMap((step) => {
      if (step.kind !== "digest") return [];
      const { path, algorithm, digest } = step;
      return [{ path, algorithm, digest }];
    });
  }

  /** The steps of which it is known that they cannot be undone. */
  async failedSteps({ userId, id }: Job): Promise<Set<Deno.KvKeyPart | undefined>> {
    const found = await this.#store.list(jobParts.prefix(userId, id, "failures"));
    return new Set(found.map(({ key }) => key.at(-1)));
  }

  /** Notes that a step was undone, or why it could not be. */
  recordUndone(job: Job, key: Deno.KvKey, failure: JobFailure | null): Promise<Job | null> {
    return this.update(job.userId, job.id, (now) => {
      if (now.runner !== job.runner) return null;
      const undone = { next: now.next + 1, current: null, beat: Date.now() };
      if (!failure) return { ...undone, steps: now.steps - 1, arrived: [] };
      return { ...undone, failed: now.failed + 1, ...sizeWith(now, failure) };
    }, (operation, _, now) => {
      if (!failure) return operation.delete(key);
      const failures = partKey(job, "failures", Number(key.at(-1)));
      return isKept(now, failure) ? operation.set(failures, failure) : operation;
    });
  }

  /** Removes the entries of a job that is over. */
  async dropEntries({ userId, id }: Job): Promise<void> {
    await this.remove({ userId, id }, "entries");
    await this.update(userId, id, ({ size }) => size ? { size: { ...size, entries: 0 } } : null);
  }

  /** Removes a finished job; one that is being undone stays. */
  async drop({ userId, id }: Job): Promise<void> {
    const dropped = await jobRecords.update(
      this.#store,
      [userId, id],
      (job) => job && isEnded(job) ? null : undefined,
    );
    if (dropped === null) await this.remove({ userId, id });
  }

  /** Removes what a killed process has left of jobs: while nothing else works on the store. */
  async sweep(): Promise<void> {
    let start: Deno.KvKey = jobParts.prefix();
    for (;;) {
      const selector = { start, end: [...jobParts.prefix(), true] };
      const [found] = await this.#store.read((kv) =>
        Array.fromAsync(kv.list(selector, { limit: 1 }))
      );
      if (!found) return;
      const [, userId, id] = found.key;
      if (typeof userId !== "number" || typeof id !== "string") return;
      const job = await jobRecords.get(this.#store, userId, id);
      if (!job) await this.remove({ userId, id });
      else if (isEnded(job)) await this.dropEntries(job);
      start = [...jobParts.prefix(userId, id), true];
    }
  }

  /** Removes parts of a job of one kind; of all kinds, the job itself as well. */
  async remove({ userId, id }: Pick<Job, "userId" | "id">, part?: JobPart): Promise<void> {
    const keys = (await this.#store.list(jobParts.prefix(userId, id, part))).map(({ key }) => key);
    if (part === undefined) keys.push(jobRecords.key(userId, id), activeJobs.prefix(userId, id));
    for (let start = 0; start < keys.length; start += batch) {
      await this.#store.atomic((operation) =>
        keys.slice(start, start + batch).reduce((all, key) => all.delete(key), operation)
      );
    }
  }

  async #first<T>({ userId, id }: Job, part: JobPart, max: number): Promise<T[]> {
    const prefix = jobParts.prefix(userId, id, part);
    const found = await this.#store.read((kv) =>
      Array.fromAsync(kv.list<T>({ prefix }, { limit: max }))
    );
    return found.map(({ value }) => value);
  }
}

/** A job with a run of its own, which shows its first sign of work. */
export function claimed(job: Job): Job {
  return { ...job, runner: crypto.randomUUID(), beat: Date.now() };
}

function noted(job: Job, outcome: Step | JobFailure): Pick<Job, "steps" | "final" | "arrived"> {
  const { steps, final, arrived } = job;
  if (!("kind" in outcome)) return { steps, final, arrived };
  if (outcome.kind === "final" || outcome.kind === "digest") {
    return { steps, final: final + 1, arrived };
  }
  const name = "to" in outcome ? nameOf(outcome.to) : "";
  const length = arrived.reduce((sum, each) => sum + each.length, name.length);
  const fits = name !== "" && arrived.length < maxArrived && length < maxArrivedLength;
  const isFinal = "isFinal" in outcome && outcome.isFinal;
  return {
    steps: steps + 1,
    final: final + (isFinal ? 1 : 0),
    arrived: fits ? [...arrived, name] : arrived,
  };
}

/** A job that the client does, after one more step. */
function withNoted(job: Job, step: Step): Job {
  return {
    ...job,
    ...isKept(job, step) ? noted(job, step) : { final: job.final + 1 },
    ...sizeWith(job, step),
    total: job.next + 1,
    next: job.next + 1,
    ended: Date.now(),
  };
}

function partKey({ userId, id }: Job, part: JobPart, index: number): Deno.KvKey {
  return jobParts.key(userId, id, part, index);
}
