/** How long after the first press of a key a second one is no more than a trembling, in milliseconds. */
const DOUBLE_MS = 200;

/** Where a press is about what is there, and not about what lay below a question. */
const APART = "dialog[open], input, textarea, select";

/**
 * Has a second press, of Enter or the mouse, do nothing on the page when the first has answered a
 * question, and Enter nothing as long as it is held: it would open what lies below the question, or
 * what was to be deleted. Another press, another question, or a field, ends that.
 *
 * @param page hears the presses
 */
export function ignoreSecondPress(page: Pick<Window, "addEventListener"> = globalThis): void {
  const listening = new AbortController();
  const { signal } = listening;
  const end = performance.now() + DOUBLE_MS;
  const heed = (isSecond: boolean, event: Event) => {
    if (!isSecond || (event.target as Element).closest(APART)) return listening.abort();
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onClick = (event: MouseEvent) => heed(event.detail > 1, event);
  page.addEventListener("keydown", (event) => {
    heed(event.key === "Enter" && (event.repeat || performance.now() < end), event);
  }, { capture: true, signal });
  page.addEventListener("click", onClick, { capture: true, signal });
  page.addEventListener("dblclick", onClick, { capture: true, signal });
}
