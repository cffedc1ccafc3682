import { type RefObject, useLayoutEffect } from "react";

/** On small screens menus are bottom sheets; see menus.css. */
const SHEET = "(width <= 46em)";

/** Elements whose press has a meaning of its own for an open popover. */
const OF_POPOVER = "[popover], [popovertarget]";

const ONCE = { capture: true, once: true };

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * A press beside an open menu by touch, or beside a bottom sheet, closes it and nothing else: its
 * click is not meant for the page. Nor does a press of the button of an open menu open it again.
 */
export function useClosingPress(popover: RefObject<HTMLElement | null>): void {
  // Before a finger can press beside what has just been opened.
  useLayoutEffect(() => {
    const onPointerDown = ({ pointerType, target }: PointerEvent) => {
      removeEventListener("click", swallow, true);
      const element = target as Element;
      if (!popover.current?.matches(":popover-open") || element.closest(OF_POPOVER)) return;
      const onlyCloses = pointerType === "touch" || matchMedia(SHEET).matches ||
        element.closest("[aria-haspopup][aria-expanded=true]");
      if (onlyCloses) addEventListener("click", swallow, ONCE);
    };
    addEventListener("pointerdown", onPointerDown, true);
    return () => removeEventListener("pointerdown", onPointerDown, true);
  }, []);
}
