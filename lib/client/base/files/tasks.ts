import { type ReadonlySignal, signal } from "@preact/signals";
import type { JobInfo } from "../../../shared/schemas/job.ts";

/** Whether nothing is left to do. */
export function isOver({ ended }: JobInfo): boolean {
  return ended !== null;
}

/** The user's jobs that take their time, whichever of his devices has begun them. */
export class Tasks {
  readonly #shown = signal<readonly JobInfo[]>([]);
  /** The ids of those that this page sees to the end. */
  readonly #followed = new Set<string>();

  /** The jobs to show, oldest first. */
  readonly shown: ReadonlySignal<readonly JobInfo[]> = this.#shown;

  /** Shows a job as it is now. */
  put(job: JobInfo): void {
    const others = this.#shown.peek().filter(({ id }) => id !== job.id);
    this.#show(isOver(job) ? others : [...others, job]);
  }

  /** Shows a job as it is now, until it is removed. */
  follow(job: JobInfo): void {
    this.#followed.add(job.id);
    this.put(job);
  }

  /** Shows a job no more. */
  remove(id: string): void {
    this.#followed.delete(id);
    this.#show(this.#shown.peek().filter((job) => job.id !== id));
  }

  /** Shows the jobs that the server tells of; it may not know yet of those that are followed. */
  update(jobs: readonly JobInfo[]): void {
    const told = new Set(jobs.map(({ id }) => id));
    const untold = this.#shown.peek().filter(({ id }) => this.#followed.has(id) && !told.has(id));
    this.#show([...jobs, ...untold]);
  }

  #show(jobs: readonly JobInfo[]): void {
    this.#shown.value = jobs.toSorted((a, b) => Date.parse(a.began) - Date.parse(b.began));
  }
}
