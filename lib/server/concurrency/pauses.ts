import { setImmediate } from "node:timers/promises";

/** How long a worker stays with one call before it looks after the others, in milliseconds. */
const sliceMs = 8;

/** The end of the queue in which work of low priority waits for its turn. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * The cooperative pauses of a long call, in which its worker looks after others and the call notices
 * that it was cancelled: `if (pauses.isDue) await pauses.pause()`, at every step of its work.
 */
export class Pauses {
  readonly #signal: AbortSignal | undefined;
  readonly #rest: () => Promise<void>;
  #sliceEnd = performance.now() + sliceMs;

  /**
   * @param signal ends the work at its next pause
   * @param priority all work of low priority together gets no more of the worker than one other
   * call: however many searches there are, a listing waits for one slice of one of them
   */
  constructor(signal?: AbortSignal, priority: "normal" | "low" = "normal") {
    this.#signal = signal;
    this.#rest = priority === "low" ? takeTurn : setImmediate;
    if (priority === "low") this.#sliceEnd = -Infinity;
  }

  /** Whether the call has used up its slice of time. Takes well under a microsecond. */
  get isDue(): boolean {
    return performance.now() >= this.#sliceEnd;
  }

  /**
   * Lets others work.
   *
   * @throws the signal's reason
   */
  async pause(): Promise<void> {
    await this.#rest();
    this.#signal?.throwIfAborted();
    this.#sliceEnd = performance.now() + sliceMs;
  }
}

function takeTurn(): Promise<void> {
  return lastTurn = lastTurn.then(() => setImmediate());
}
