import { workerName } from "../disk/waiting_thread.ts";
import { NoPreview, tooLarge } from "./no_preview.ts";
import type { Order, Outcome } from "./protocol.ts";

/** The thread ended before it was done, maybe because of another task: try again, a few times. */
export class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

/** What a thread is and how it is treated. */
export interface ThreadOptions<Setup> {
  script: URL;
  setup: Setup;
  /** A task that takes longer is given up, in milliseconds. */
  patienceMs: number;
  /** Takes a sentence for the log. */
  note(sentence: string): void;
}

interface Pending<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Computes in a Worker, which starts with the first task. Decoders are other people's code fed with
 * other people's bytes: one that dies, or never ends, costs its task and its Worker, and the next
 * task gets another one.
 */
export class ImageThread<Setup, Task, Result> {
  readonly #options: ThreadOptions<Setup>;
  readonly #pending = new Map<number, Pending<Result>>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(options: ThreadOptions<Setup>) {
    this.#options = options;
  }

  /**
   * Does a task.
   *
   * @param transfer what the Worker takes over
   * @throws NoPreview when the content is to blame, ThreadLost when another task was
   */
  call(task: Task, transfer: Transferable[]): Promise<Result> {
    const worker = this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#pending.set(id, { resolve, reject });
    worker.postMessage({ id, task } satisfies Order<Setup, Task>, transfer);
    const patience = setTimeout(() => this.#giveUp(worker, id), this.#options.patienceMs);
    return promise.finally(() => clearTimeout(patience));
  }

  /** Ends the Worker; tasks under way reject. A later one would start another. */
  close(): void {
    this.#end(new ThreadLost("Cannot go on: the server is closing"));
  }

  #start(): Worker {
    const worker = new Worker(this.#options.script, { type: "module", name: workerName("images") });
    worker.postMessage({ setup: this.#options.setup } satisfies Order<Setup, Task>);
    worker.onmessage = ({ data }: MessageEvent<Outcome<Result>>) => this.#settle(worker, data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker !== this.#worker) return;
      this.#options.note(`Previews: the thread that makes them died: ${event.message}`);
      this.#end(new ThreadLost("The thread died"));
    };
    return worker;
  }

  #settle(worker: Worker, outcome: Outcome<Result>): void {
    if ("note" in outcome) return this.#options.note(outcome.note);
    if ("idle" in outcome) return this.#rest(worker);
    const pending = this.#pending.get(outcome.id);
    this.#pending.delete(outcome.id);
    if ("result" in outcome) pending?.resolve(outcome.result);
    else if ("refusal" in outcome) pending?.reject(new NoPreview(outcome.refusal));
    else pending?.reject(new Error(outcome.failure));
    if ("spent" in outcome && outcome.spent && worker === this.#worker) {
      this.#end(new ThreadLost("The thread is spent"));
    }
  }

  /** Gives the memory of an idle Worker back, unless a task is on its way to it. */
  #rest(worker: Worker): void {
    if (worker === this.#worker && this.#pending.size === 0) this.close();
  }

  /** The Worker is left to itself: a thread that computes can't be stopped from outside. */
  #giveUp(worker: Worker, id: number): void {
    this.#pending.get(id)?.reject(new NoPreview(tooLarge));
    this.#pending.delete(id);
    if (worker === this.#worker) this.#end(new ThreadLost("Another task took too long"));
  }

  #end(reason: Error): void {
    this.#worker?.terminate();
    this.#worker = null;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(reason);
  }
}
