/** How long after the first press of a key a second one is no more than a trembling, in milliseconds. */
const DOUBLE_MS = 300;

/**
 * Has Enter go nowhere for a moment after it has answered a question, and as long as it is held: a
 * second press would answer the next question unread, or open what was to be deleted.
 *
 * @param page hears the keys
 */
export function ignoreSecondEnter(page: Pick<Window, "addEventListener"> = globalThis): void {
  const listening = new AbortController();
  const end = performance.now() + DOUBLE_MS;
  page.addEventListener("keydown", (event) => {
    const isOver = performance.now() > end && !event.repeat;
    if (isOver) listening.abort();
    else if (event.key === "Enter") {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, { capture: true, signal: listening.signal });
}
