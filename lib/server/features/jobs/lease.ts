import { isStoreUnusable } from "../../core/kv/circuit_breaker.ts";
import type { Job } from "./job.ts";

/** A job that has shown no work for so long has lost its thread, in milliseconds. */
const lostMs = 5_000;

/**
 * A runner that could not show for so long that it is at work stops, in milliseconds: before
 * another machine takes its job over.
 */
const leaseMs = 4_000;

/** The right of a runner to work on its job, renewed with each beat. */
export class Lease {
  #renewedAt = performance.now();

  /** @param at when the beat began */
  renew(at: number): void {
    this.#renewedAt = at;
  }

  /** Whether it is over, after a beat that failed: the store is away, and was for some time. */
  isOver(error: unknown): boolean {
    return isStoreUnusable(error) && performance.now() - this.#renewedAt > leaseMs;
  }
}

/** The beats of all jobs, as this thread sees them. */
export class Heartbeats {
  readonly #isShared: boolean;
  #seen = new Map<string, { beat: number; at: number }>();

  /** @param isShared whether other machines work on jobs, whose clocks differ from this one's */
  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  /** Notes the beats of the jobs that are not over. */
  note(jobs: readonly Job[]): void {
    const at = performance.now();
    this.#seen = new Map(jobs.map(({ id, beat }) => {
      const seen = this.#seen.get(id);
      return [id, seen?.beat === beat ? seen : { beat, at }];
    }));
  }

  /** Forgets all: while the store was away, no other machine could show its work. */
  clear(): void {
    this.#seen.clear();
  }

  /** Whether a job shows no work any more: by its time or, among machines, by this one's clock. */
  isLost({ id, beat }: Job): boolean {
    if (!this.#isShared) return Math.abs(Date.now() - beat) > lostMs;
    return performance.now() - (this.#seen.get(id)?.at ?? performance.now()) > lostMs;
  }
}
