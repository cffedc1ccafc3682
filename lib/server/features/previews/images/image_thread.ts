import { type Remote, remote } from "../../../core/concurrency/remote.ts";
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
  readonly #worker: Remote<ResizeWork>;

  constructor({ script, timeoutMs, note }: ThreadOptions) {
    this.#timeoutMs = timeoutMs;
    this.#worker = remote<ResizeWork>({
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
    const outcome = await this.#worker.resize(task, {
      transfer: task.pictures.map(({ bytes }) => bytes.buffer),
      timeout: {
        ms: this.#timeoutMs,
        error: new NoPreview(tooLarge),
        others: new ThreadLost("Another task took too long"),
      },
    });
    if ("bytes" in outcome) return outcome.bytes;
    if ("refusal" in outcome) throw new NoPreview(outcome.refusal);
    this.#worker.end(new ThreadLost("The thread reached its limit"));
    throw new Error(outcome.failure);
  }

  /** Ends the Worker; tasks under way reject. A later one would start another. */
  close(): void {
    this.#worker.close();
  }
}
