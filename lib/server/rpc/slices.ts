import { setImmediate } from "node:timers/promises";

/** Work in steps, some of which wait for the system. */
export type PatientSteps<T> = Generator<void | Promise<void>, T>;

/** How long the Worker stays with one call before it looks after the others, in milliseconds. */
const sliceMs = 8;

/** The end of the queue in which patient work waits for its turn. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Does work in slices, so that several calls share a Worker and each can be cancelled.
 *
 * @param signal ends the work at the next step
 * @param isPatient all patient work together gets no more of the Worker than one other call: however
 * many searches there are, a listing waits for one slice of one of them
 * @throws the signal's reason
 */
export async function runInSlices<T>(
  steps: PatientSteps<T>,
  signal: AbortSignal,
  isPatient = false,
): Promise<T> {
  const rest = isPatient ? takeTurn : setImmediate;
  try {
    if (isPatient) await takeTurn();
    let sliceEnd = performance.now() + sliceMs;
    for (let step = steps.next();; step = steps.next()) {
      if (step.done) return step.value;
      if (step.value) await step.value;
      else if (performance.now() < sliceEnd) continue;
      if (!step.value || isPatient) await rest();
      signal.throwIfAborted();
      sliceEnd = performance.now() + sliceMs;
    }
  } finally {
    steps.return(undefined as T);
  }
}

function takeTurn(): Promise<void> {
  return lastTurn = lastTurn.then(() => setImmediate());
}
