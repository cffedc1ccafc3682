/**
 * Runs a task for each item with limited concurrency; none starts after `signal` is aborted.
 *
 * @param limit the number of concurrent tasks
 */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  limit: number,
  act: (item: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const some = async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      if (signal?.aborted) return;
      await act(next.value);
    }
  };
  await Promise.all(Array.from({ length: limit }, some));
}
