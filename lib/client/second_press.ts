/** How long after the first press of a key a second one is no more than a trembling, in milliseconds. */
const DOUBLE_MS = 300;

/**
 * Has Enter do nothing on the page for a moment after it has answered a question, and as long as it
 * is held: a second press would open what was to be deleted. Another key, or another question, ends
 * that.
 *
 * @param page hears the keys
 */
export function ignoreSecondEnter(page: Pick<Window, "addEventListener"> = globalThis): void {
  const listening = new AbortController();
  const end = performance.now() + DOUBLE_MS;
  page.addEventListener("keydown", (event) => {
    const isSecond = event.key === "Enter" && (event.repeat || performance.now() < end);
    if (!isSecond || (event.target as Element).closest("dialog[open]")) return listening.abort();
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true, signal: listening.signal });
}
