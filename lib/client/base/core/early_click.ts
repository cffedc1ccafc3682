/** What the script of {@linkcode EARLY_CLICK} notes. */
interface EarlyClick {
  (event: Event): void;
  /** The button that was pressed last. */
  button?: HTMLElement;
}

/**
 * An inline script that notes a click on a button while the islands of a page are loading: without
 * it the click would be lost. Buttons of popovers and forms act by themselves.
 */
export const EARLY_CLICK = `addEventListener("click",earlyClick=e=>earlyClick.button=` +
  `e.target.closest("button[type=button]:not([popovertarget])")||earlyClick.button,true)`;

/** What the server has drawn in place of late code, named by this attribute. */
const DRAWING = "[data-drawing]";

const page = globalThis as { earlyClick?: EarlyClick };

/**
 * Repeats the click that was noted, once the islands are awake. A drawing of the server has no
 * handlers even then: its clicks are noted until {@linkcode repeatDrawnClick}.
 */
export function repeatEarlyClick(): void {
  const noted = page.earlyClick;
  if (!noted) return;
  // The islands wake in tasks that are posted when the modules have run: this one is after them.
  setTimeout(() =>
    inBackground(() => {
      const isDrawn = noted.button?.closest(DRAWING) != null;
      if (!isDrawn && !document.querySelector(DRAWING)) forget(noted);
      if (noted.button?.isConnected && !isDrawn) noted.button.click();
    })
  );
}

/**
 * Repeats the click on a button of a drawing on the button with the same `data-command`. What takes
 * the place of the drawing may come in parts: until one has that button, the click is kept.
 *
 * @param name of the drawing, as its `data-drawing` says
 * @param to the element that takes its place, or a part of it
 */
export function repeatDrawnClick(name: string, to: HTMLElement): void {
  const noted = page.earlyClick;
  if (!noted) return;
  removeEventListener("click", noted, true);
  const { button } = noted;
  const { command } = button?.dataset ?? {};
  const isDrawn = button?.closest<HTMLElement>(DRAWING)?.dataset.drawing === name;
  const found = command && isDrawn &&
    to.querySelector<HTMLElement>(`[data-command="${command}"]`);
  if (found || !isDrawn) delete page.earlyClick;
  if (found) found.click();
}

function forget(noted: EarlyClick): void {
  removeEventListener("click", noted, true);
  delete page.earlyClick;
}

function inBackground(task: () => void): void {
  const { scheduler } = globalThis as { scheduler?: { postTask(task: () => void): unknown } };
  if (scheduler) scheduler.postTask(task);
  else setTimeout(task);
}
