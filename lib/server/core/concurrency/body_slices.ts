import { delay } from "../../../shared/delay.ts";

/** Time slice for bodies, before their thread serves other requests, in milliseconds. */
const sliceMs = 3;

/** The end of the current slice, which all bodies of a thread share, and the queue for the next. */
let sliceEnd = 0;
let lastTurn = Promise.resolve();

/**
 * Waits for a time slice, after the bodies that already wait; not while one lasts. When many large
 * bodies arrive at once, a request needs several turns of the event loop, and each of them would
 * take in all that is there.
 */
export async function takeSlice(): Promise<void> {
  if (performance.now() >= sliceEnd) await (lastTurn = lastTurn.then(beginSlice));
}

async function beginSlice(): Promise<void> {
  if (performance.now() < sliceEnd) return;
  // A timer: `setImmediate` leaves no time to connections.
  await delay(0);
  sliceEnd = performance.now() + sliceMs;
}
