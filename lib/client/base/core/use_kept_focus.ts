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
