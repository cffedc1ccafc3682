import { type RefObject, useRef } from "react";

/** Presses closer together than this count as one (debounce), in milliseconds. */
const DOUBLE_MS = 200;

/** Presses closer together than this are at the same place, in CSS pixels: half a fingertip. */
const SAME_PX = 24;

/** Elements where a second press is intended. */
const APART = "dialog[open], input, textarea, select";

/**
 * Ignores a second press of Enter or the mouse after one that closed a prompt, and a held Enter: it
 * would open the entry below, or the prompt again. Any other press, such as of Tab to another
 * control, or one in a prompt, in a field or at another place, ends that: browsers count a quick tap
 * as a second one, too, up to 100 pixels away.
 *
 * @param first the press that closed the prompt
 * @param page receives the events
 */
export function ignoreSecondPress(
  first: Pick<MouseEvent, "clientX" | "clientY">,
  page: Pick<Window, "addEventListener"> = globalThis,
): void {
  const listening = new AbortController();
  const { signal } = listening;
  const end = performance.now() + DOUBLE_MS;
  const swallow = (isSecond: boolean, event: Event) => {
    if (!isSecond || (event.target as Element).closest(APART)) return listening.abort();
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onClick = (event: MouseEvent) => {
    const way = Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY);
    swallow(event.detail > 1 && way <= SAME_PX, event);
  };
  page.addEventListener("keydown", (event) => {
    swallow(event.key === "Enter" && (event.repeat || event.timeStamp < end), event);
  }, { capture: true, signal });
  page.addEventListener("click", onClick, { capture: true, signal });
  page.addEventListener("dblclick", onClick, { capture: true, signal });
}

/** The handlers of a modal dialog. */
interface PressHandlers {
  onPointerDown: (event: { target: EventTarget | null }) => void;
  onClick: (event: { target: EventTarget | null }) => void;
}

/**
 * Closes a modal dialog by a click on its backdrop. It closes on release, so that the click does
 * not reach the page, and not when a text selection that began inside ends on the backdrop.
 */
export function usePressBeside(
  dialog: RefObject<HTMLDialogElement | null>,
  close: () => void,
): PressHandlers {
  const began = useRef(false);
  return {
    onPointerDown({ target }) {
      began.current = target === dialog.current;
    },
    onClick({ target }) {
      if (began.current && target === dialog.current) close();
    },
  };
}
