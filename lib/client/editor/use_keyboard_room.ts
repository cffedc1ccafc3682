import { type RefObject, useEffect } from "react";

/**
 * Keeps an element clear of the keyboard of a phone that lies over the page instead of making it
 * smaller: the property `--keyboard` of the element is the height that is covered.
 */
export function useKeyboardRoom(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const viewport = globalThis.visualViewport;
    if (!viewport) return;
    const measure = () => {
      // Zooming in makes the visible part smaller, too.
      const covered = viewport.scale > 1.01
        ? 0
        : Math.max(0, innerHeight - viewport.height - viewport.offsetTop);
      element.current?.style.setProperty("--keyboard", `${Math.round(covered)}px`);
    };
    measure();
    viewport.addEventListener("resize", measure);
    viewport.addEventListener("scroll", measure);
    return () => {
      viewport.removeEventListener("resize", measure);
      viewport.removeEventListener("scroll", measure);
    };
  }, [element]);
}
