import { WorkerClient } from "../concurrency/worker_client.ts";
import { NoPreview, tooLarge } from "./no_preview.ts";
import type { ResizeTask, ResizeWork } from "./resize_worker.ts";

/** The thread ended before it was done, maybe because of another task: try again, a few times. */
export class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

/** What a thread is and how it is treated. */
export interface ThreadOptions {
  script: URL;
  /** A task that takes longer is given up, in milliseconds. */
  patienceMs: number;
  /** Takes a sentence for the log. */
  note(sentence: string): void;
}

/**
 * Makes pictures smaller in a worker. Decoders are other people's code fed with other people's
 * bytes: one that dies, fails or never ends costs its task and its worker, and the next task gets
 * another one.
 */
export class ImageThread {
  readonly #patienceMs: number;
  readonly #worker: WorkerClient<ResizeWork>;

  constructor({ script, patienceMs, note }: ThreadOptions) {
    this.#patienceMs = patienceMs;
    this.#worker = new WorkerClient({
      ...{ script, note },
      name: "images",
      closed: () => new ThreadLost("Cannot go on: the server is closing"),
      diedOf(message) {
        note(`Previews: the thread that makes them died: ${message}`);
        return new ThreadLost("The thread died");
      },
    });
  }

  /**
   * Makes a picture smaller; its bytes move to the worker.
   *
   * @throws NoPreview when the content is to blame, ThreadLost when another task was
   */
  async resize(task: ResizeTask): Promise<Uint8Array<ArrayBuffer>> {
    const stuck = new AbortController();
    // A thread that computes can't be stopped from outside: it is ended with all its tasks.
    const patience = setTimeout(() => {
      stuck.abort(new NoPreview(tooLarge));
      this.#worker.end(new ThreadLost("Another task took too long"));
    }, this.#patienceMs);
    const options = { signal: stuck.signal, transfer: [task.picture.bytes.buffer] };
    try {
      const outcome = await this.#worker.call("resize", task, options);
      if ("bytes" in outcome) return outcome.bytes;
      if ("refusal" in outcome) throw new NoPreview(outcome.refusal);
      this.#worker.end(new ThreadLost("The thread is spent"));
      throw new Error(outcome.failure);
    } finally {
      clearTimeout(patience);
    }
  }

  /** Ends the worker; tasks under way reject. A later one would start another. */
  close(): void {
    this.#worker.close();
  }
}
