import { type ReadonlySignal, signal } from "@preact/signals";
import { type Failure, failure } from "../../../shared/result.ts";
import { discardFile, sendFile, type SendTarget } from "./send_file.ts";

/** Uploads at once. */
const mostAtOnce = 3;

/** A file that a visitor has chosen. */
export interface SentFile {
  id: number;
  /** With its folders. */
  name: string;
  size: number;
  sent: number;
  state: "waiting" | "sending" | "arrived" | "failed";
  /** Of a failed one. */
  failure?: Failure;
}

const unreadable = failure(0, "unreadable", "The file can't be read");

interface Job {
  shown: SentFile;
  file: File;
  target: SendTarget;
  stopping: AbortController;
}

/** The files that a visitor sends: a queue, and what has become of each. */
export class SentFiles {
  readonly #list = signal<readonly SentFile[]>([]);
  readonly #jobs = new Map<number, Job>();
  #active = 0;
  #lastId = 0;

  /** All of them, in the order in which they were chosen. */
  readonly list: ReadonlySignal<readonly SentFile[]> = this.#list;

  /** Sends files; one that could not be read is null, and listed as such. */
  add(target: SendTarget, files: readonly { name: string; file: File | null }[]): void {
    const added = files.map(({ name, file }): SentFile => {
      const id = ++this.#lastId;
      if (file === null) {
        return { id, name, size: 0, sent: 0, state: "failed", failure: unreadable };
      }
      const shown: SentFile = { id, name, size: file.size, sent: 0, state: "waiting" };
      this.#jobs.set(id, { shown, file, target, stopping: new AbortController() });
      return shown;
    });
    this.#list.value = [...this.#list.peek(), ...added];
    this.#fill();
  }

  /** Sends one that failed again. */
  retry(id: number): void {
    if (!this.#jobs.has(id)) return;
    this.#show(id, { state: "waiting", failure: undefined });
    this.#fill();
  }

  /** Gives one up, and takes it off the list. */
  drop(id: number): void {
    const job = this.#jobs.get(id);
    job?.stopping.abort();
    if (job?.shown.state === "failed") {
      void discardFile(job.target, { file: job.file, name: job.shown.name });
    }
    this.#jobs.delete(id);
    this.#list.value = this.#list.peek().filter((each) => each.id !== id);
  }

  #fill(): void {
    for (const job of this.#jobs.values()) {
      if (this.#active >= mostAtOnce) return;
      if (job.shown.state === "waiting") void this.#send(job);
    }
  }

  async #send({ shown: { id, name }, file, target, stopping: { signal } }: Job): Promise<void> {
    this.#active++;
    this.#show(id, { state: "sending" });
    const onProgress = (sent: number) => this.#show(id, { sent });
    const answer = await sendFile(target, { file, name, onProgress, signal });
    this.#active--;
    if (answer.ok) {
      this.#show(id, { state: "arrived", sent: file.size });
      this.#jobs.delete(id);
    } else {
      this.#show(id, { state: "failed", failure: answer });
    }
    this.#fill();
  }

  #show(id: number, change: Partial<SentFile>): void {
    this.#list.value = this.#list.peek().map((each) => {
      if (each.id !== id) return each;
      const next = { ...each, ...change };
      const job = this.#jobs.get(id);
      if (job) job.shown = next;
      return next;
    });
  }
}
