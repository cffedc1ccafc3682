import { type RefObject, useEffect } from "react";

/** The controls that take the focus: the upload button of the header, a row, an open file. */
const targets = '.header [popovertarget="upload-menu"], .listing [tabindex="0"], .viewer';

/**
 * Returns the focus to the page when an element goes that has it: a panel, or the player, that is
 * closed by a button of its own.
 */
export function useReturnedFocus(element: RefObject<HTMLElement>): void {
  useEffect(() => () => {
    // The element leaves the document only after its effects have ended.
    if (!element.current?.contains(document.activeElement)) return;
    const all = document.querySelectorAll<HTMLElement>(targets);
    [...all].find((each) => each.checkVisibility())?.focus();
  }, []);
}
