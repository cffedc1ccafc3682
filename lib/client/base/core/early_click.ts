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

/** Repeats the click that was noted, once the islands are awake. */
export function repeatEarlyClick(): void {
  const page = globalThis as { earlyClick?: EarlyClick };
  const noted = page.earlyClick;
  if (!noted) return;
  // The islands wake in tasks that are posted when the modules have run: this one is after them.
  setTimeout(() =>
    inBackground(() => {
      removeEventListener("click", noted, true);
      delete page.earlyClick;
      if (noted.button?.isConnected) noted.button.click();
    })
  );
}

function inBackground(task: () => void): void {
  const { scheduler } = globalThis as { scheduler?: { postTask(task: () => void): unknown } };
  if (scheduler) scheduler.postTask(task);
  else setTimeout(task);
}
