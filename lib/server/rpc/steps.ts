/**
 * Work in small steps: each `yield` is a place where it may rest, so that a Worker can look after
 * other calls and notice that a client has gone.
 */
export type Steps<T> = Generator<void, T>;

/** Does the work without a rest: for what is small. */
export function finish<T>(steps: Steps<T>): T {
  for (let step = steps.next();; step = steps.next()) {
    if (step.done) return step.value;
  }
}
