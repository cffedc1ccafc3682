/** The end of the queue. */
let last: Promise<void> = Promise.resolve();

/**
 * Does work that holds a whole file in memory, and strings made of it, after all such work that
 * began before: however many ask at a time, there is one file at a time.
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
