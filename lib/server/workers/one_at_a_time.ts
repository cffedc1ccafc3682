/** The tail of the queue. */
let last: Promise<void> = Promise.resolve();

/**
 * Serializes work that holds a whole file in memory, with strings made of it: one file at a time,
 * however many callers.
 */
export async function oneAtATime<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const before = last;
  const { promise: done, resolve: leave } = Promise.withResolvers<void>();
  last = before.then(() => done);
  try {
    await before;
    signal.throwIfAborted();
    return await work();
  } finally {
    leave();
  }
}
