import type { PatientSteps } from "../rpc/slices.ts";

/** The end of the queue. */
let last: Promise<void> = Promise.resolve();

/**
 * Does work that holds a whole file in memory, and strings made of it, after all such work that
 * began before: however many ask at a time, there is one file at a time.
 */
export function* oneAtATime<T>(steps: PatientSteps<T>): PatientSteps<T> {
  const before = last;
  const { promise: done, resolve: leave } = Promise.withResolvers<void>();
  last = before.then(() => done);
  try {
    yield before;
    return yield* steps;
  } finally {
    leave();
  }
}
