import { delay } from "../../../shared/delay.ts";

/** Time slice of all bodies, before their thread serves other requests, in milliseconds. */
const sliceMs = 3;

/**
 * Most bodies that arrive at a time without slices: they wait for the disk and for their senders
 * often enough, and pauses would halve the speed of a single upload.
 */
const maxUnsliced = 8;

/** The end of the current slice, which all bodies of a thread share, and the queue for the next. */
let sliceEnd = 0;
let lastTurn = Promise.resolve();
let arriving = 0;

/**
 * The turns of a request body that arrives: `using turns = new BodyTurns()` as long as it does. When
 * many bodies arrive at once, a request needs several turns of the event loop, and each of them
 * would take in all that is there.
 */
export class BodyTurns implements Disposable {
  constructor() {
    arriving++;
  }

  /** Waits for a time slice, after the bodies that already wait; not while one lasts. */
  async take(): Promise<void> {
    if (arriving <= maxUnsliced || performance.now() < sliceEnd) return;
    await (lastTurn = lastTurn.then(beginSlice));
  }

  [Symbol.dispose](): void {
    arriving--;
  }
}

async function beginSlice(): Promise<void> {
  if (performance.now() < sliceEnd) return;
  // A timer: `setImmediate` leaves no time to connections.
  await delay(0);
  sliceEnd = performance.now() + sliceMs;
}
