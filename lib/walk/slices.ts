import { setImmediate } from "node:timers/promises";

/** Work in steps, some of which wait for the system. */
export type PatientSteps<T> = Generator<void | Promise<void>, T>;

/** How long the Worker stays with one call before it looks after the others, in milliseconds. */
const sliceMs = 8;

/**
 * Does work in slices, so that several calls share a Worker and each can be cancelled.
 *
 * @param signal ends the work at the next step
 * @throws the signal's reason
 */
export async function runInSlices<T>(steps: PatientSteps<T>, signal: AbortSignal): Promise<T> {
  try {
    let sliceEnd = performance.now() + sliceMs;
    for (let step = steps.next();; step = steps.next()) {
      if (step.done) return step.value;
      if (step.value) await step.value;
      else if (performance.now() < sliceEnd) continue;
      else await setImmediate();
      signal.throwIfAborted();
      sliceEnd = performance.now() + sliceMs;
    }
  } finally {
    steps.return(undefined as T);
  }
}
