import { setImmediate } from "node:timers/promises";
import { delay } from "../../../shared/delay.ts";

/** Time slice of a call before its worker serves others, in milliseconds. */
const sliceMs = 8;

/** The tail of the queue of low-priority work. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Cooperative pauses of a long call, in which its worker serves other calls and the call notices a
 * cancel: `if (pauses.isDue) await pauses.pause()`, at every step of its work.
 */
export class Pauses {
  readonly #signal: AbortSignal | undefined;
  readonly #rest: () => Promise<void>;
  #sliceEnd = performance.now() + sliceMs;

  /**
   * @param signal aborts the work at its next pause
   * @param priority all low-priority calls together get no more time than one other call: however
   * many searches there are, a listing waits for one slice of one of them. `serving` is for a
   * thread with connections of its own, to which `setImmediate` leaves no time
   */
  constructor(signal?: AbortSignal, priority: "normal" | "low" | "serving" = "normal") {
    this.#signal = signal;
    this.#rest = rests[priority];
    if (priority === "low") this.#sliceEnd = -Infinity;
  }

  /** Whether the time slice is used up. Takes well under a microsecond. */
  get isDue(): boolean {
    return performance.now() >= this.#sliceEnd;
  }

  /**
   * Yields to other calls.
   *
   * @throws the signal's reason
   */
  async pause(): Promise<void> {
    await this.#rest();
    this.#signal?.throwIfAborted();
    this.#sliceEnd = performance.now() + sliceMs;
  }

  /**
   * Does work that comes in steps, with pauses between them.
   *
   * @returns the result of the last step
   * @throws the signal's reason
   */
  async between<T>(steps: Generator<void, T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (this.isDue) await this.pause();
    }
  }
}

const rests = { normal: () => setImmediate(), low: takeTurn, serving: () => delay(0) };

function takeTurn(): Promise<void> {
  return lastTurn = lastTurn.then(() => setImmediate());
}
