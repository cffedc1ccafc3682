import { WorkerClient } from "../concurrency/worker_client.ts";
import { NoPreview, tooLarge } from "./no_preview.ts";
import type { ResizeTask, ResizeWork } from "./resize_worker.ts";

/** The thread ended before the task, maybe because of another one: retry a few times. */
export class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

/** Configuration of a thread. */
export interface ThreadOptions {
  script: URL;
  /** Timeout of a task, in milliseconds. */
  timeoutMs: number;
  /** Logs a sentence. */
  note(sentence: string): void;
}

/**
 * Resizes pictures in a Worker. Decoders are third-party code with untrusted input: a crash, an
 * error or a timeout costs the task and the Worker, and the next task starts another.
 */
export class ImageThread {
  readonly #timeoutMs: number;
  readonly #worker: WorkerClient<ResizeWork>;

  constructor({ script, timeoutMs, note }: ThreadOptions) {
    this.#timeoutMs = timeoutMs;
    this.#worker = new WorkerClient({
      ...{ script, note },
      name: "images",
      closed: () => new ThreadLost("Cannot make the preview: the server is closing"),
      diedOf(message) {
        note(`Previews: their thread stopped: ${message}`);
        return new ThreadLost("The thread stopped");
      },
    });
  }

  /**
   * Resizes pictures; their bytes are transferred to the Worker.
   *
   * @throws NoPreview when the content is at fault, ThreadLost when another task was
   */
  async resize(task: ResizeTask): Promise<Uint8Array<ArrayBuffer>> {
    const stuck = new AbortController();
    // A busy thread can't be interrupted: it is terminated with all its tasks.
    const timer = setTimeout(() => {
      stuck.abort(new NoPreview(tooLarge));
      this.#worker.end(new ThreadLost("Another task took too long"));
    }, this.#timeoutMs);
    const options = { signal: stuck.signal, transfer: buffersOf(task) };
    try {
      const outcome = await this.#worker.call("resize", task, options);
      if ("bytes" in outcome) return outcome.bytes;
      if ("refusal" in outcome) throw new NoPreview(outcome.refusal);
      this.#worker.end(new ThreadLost("The thread reached its limit"));
      throw new Error(outcome.failure);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the Worker; tasks under way reject. A later one would start another. */
  close(): void {
    this.#worker.close();
  }
}

function buffersOf({ pictures }: ResizeTask): ArrayBuffer[] {
  return pictures.map(({ bytes }) => bytes.buffer);
}
