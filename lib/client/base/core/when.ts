import { effect, type ReadonlySignal } from "@preact/signals";

/** A source of events, such as the window or the document. */
export type EventSourceLike = Pick<EventTarget, "addEventListener" | "removeEventListener">;

/** Waits until a signal's value matches, or until aborted. */
export function when<T>(
  source: ReadonlySignal<T>,
  isWanted: (value: T) => boolean,
  gaveUp?: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = effect(() => {
    if (isWanted(source.value)) resolve();
  });
  const giveUp = () => resolve();
  gaveUp?.addEventListener("abort", giveUp);
  if (gaveUp?.aborted) giveUp();
  return promise.finally(() => {
    stop();
    gaveUp?.removeEventListener("abort", giveUp);
  });
}
