import type { JSX } from "preact";

/**
 * Numbers the ids that `useId` makes below an element, the same on the server and in the browser.
 * Preact counts from zero in each root, so that the ids of two islands would clash.
 */
export function numberIds(element: JSX.Element, number: number): JSX.Element {
  return Object.assign(element, { __m: [number, 0] });
}
