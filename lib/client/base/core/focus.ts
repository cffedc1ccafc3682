import { type RefObject, useEffect, useRef } from "react";

/**
 * Keeps the focus in an element whose button is replaced by another when it is pressed.
 *
 * @param state the state that decides which button is shown
 * @returns the ref of the element that holds the button
 */
export function useKeptFocus<T extends HTMLElement>(state: unknown): RefObject<T> {
  const part = useRef<T>(null);
  const first = useRef(true);
  useEffect(() => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (!first.current && isLost) part.current?.querySelector<HTMLElement>("button")?.focus();
    first.current = false;
  }, [state]);
  return part;
}

/** The controls that take the focus: the upload button of the header, a row, an open file. */
const targets = '.header .button--primary, .listing [tabindex="0"], .viewer';

/** Those of pages without any. */
const others = "main :is(a[href], button:enabled, input:enabled)";

/**
 * Returns the focus to the page when an element goes that has it: a panel, a message, or the player,
 * that is closed by a button of its own.
 *
 * @param from had the focus before, and gets it if it is still shown
 */
export function useReturnedFocus(
  element: RefObject<HTMLElement>,
  from?: RefObject<HTMLElement>,
): void {
  useEffect(() => () => {
    // The element leaves the document only after its effects have ended.
    if (!element.current?.contains(document.activeElement)) return;
    const all = [targets, others].flatMap((each) => [
      ...document.querySelectorAll<HTMLElement>(each),
    ]);
    if (from?.current) all.unshift(from.current);
    all.find((each) => each.checkVisibility())?.focus();
  }, []);
}
