/** Resolves after `ms` milliseconds, or as soon as `signal` is aborted. */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener("abort", resolve);
  if (signal?.aborted) resolve(null);
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener("abort", resolve);
}
