import { type RefObject, useEffect, useState } from "react";

/** What tells that somebody is there. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "focusin"];

/**
 * Whether nothing has been done in an element for a while.
 *
 * @param element where to look
 * @param afterMs how long a while is, in milliseconds
 */
export function useIdle(element: RefObject<HTMLElement>, afterMs: number): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wake = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setIdle(true), afterMs);
      setIdle(false);
    };
    wake();
    for (const sign of SIGNS) watched.addEventListener(sign, wake, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS) watched.removeEventListener(sign, wake);
    };
  }, [afterMs]);
  return isIdle;
}
