import { type RefObject, useEffect, useRef } from "react";

/**
 * Keeps the focus in a part of the page whose button gives way to another once it is pressed.
 *
 * @param state what decides which button is there
 * @returns goes on the element that holds the button
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
