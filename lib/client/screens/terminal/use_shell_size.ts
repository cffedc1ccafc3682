import { type RefObject, useEffect, useState } from "react";
import { type BrowserStorage, keepIn, openLocalStorage } from "../../base/core/browser_storage.ts";

const KEY = "cubby-shell-height";

/** The smallest height of the panel, in pixels. */
export const LOWEST = 140;

/** The default height, in pixels. */
export const USUAL = 288;

/** The step of an arrow key, in pixels. */
const KEY_STEP = 24;

/** A height within its bounds. */
function boundHeight(height: number, highest: number): number {
  return Math.round(Math.max(LOWEST, Math.min(height, Math.max(LOWEST, highest))));
}

/** The height after a key press on the separator; null for other keys. */
export function heightByKey(key: string, height: number, highest: number): number | null {
  const wanted: Record<string, number> = {
    ArrowUp: height + KEY_STEP,
    ArrowDown: height - KEY_STEP,
    PageUp: height + 4 * KEY_STEP,
    PageDown: height - 4 * KEY_STEP,
    Home: LOWEST,
    End: highest,
    Enter: USUAL,
  };
  const next = wanted[key];
  return next === undefined ? null : boundHeight(next, highest);
}

/** The height chosen last. */
export function readHeight(storage: Pick<BrowserStorage, "getItem">): number {
  const stored = Number(storage.getItem(KEY));
  return stored >= LOWEST ? stored : USUAL;
}

/** Stores a height. */
export function keepHeight(storage: Pick<BrowserStorage, "setItem">, height: number): void {
  keepIn(storage, KEY, String(height));
}

/** The part of the page above the panel that stays visible, in pixels. */
const LEFT_ABOVE = 160;

/** The props of the separator. */
export interface SeparatorHandlers {
  "aria-valuenow": number;
  "aria-valuemin": number;
  "aria-valuemax": number;
  onKeyDown: (event: KeyboardEvent) => void;
  onPointerDown: (event: PointerEvent) => void;
  onDblClick: () => void;
}

/** The height of the shell, resizable by mouse and keys, and remembered. */
export function useShellSize(
  panel: RefObject<HTMLElement>,
): { height: number; separator: SeparatorHandlers } {
  const [wanted, setWanted] = useState(() => readHeight(openLocalStorage()));
  const [highest, setHighest] = useState(Infinity);

  useEffect(() => {
    const parent = panel.current?.parentElement;
    if (!parent) return;
    const resized = new ResizeObserver(() => setHighest(parent.clientHeight - LEFT_ABOVE));
    resized.observe(parent);
    return () => resized.disconnect();
  }, []);

  const height = boundHeight(wanted, highest);
  // Keep floating elements above the panel.
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty("--foot", `${height}px`);
    return () => style.removeProperty("--foot");
  }, [height]);
  const choose = (next: number) => {
    const bounded = boundHeight(next, highest);
    setWanted(bounded);
    keepHeight(openLocalStorage(), bounded);
  };

  return {
    height,
    separator: {
      "aria-valuenow": height,
      "aria-valuemin": LOWEST,
      "aria-valuemax": highest === Infinity ? height : Math.max(LOWEST, highest),
      onKeyDown(event) {
        const next = heightByKey(event.key, height, highest);
        if (next === null) return;
        event.preventDefault();
        choose(next);
      },
      onPointerDown(event) {
        const handle = event.currentTarget as HTMLElement;
        const from = event.clientY;
        event.preventDefault();
        handle.focus({ preventScroll: true });
        handle.setPointerCapture(event.pointerId);
        const move = ({ clientY }: PointerEvent) => choose(height + from - clientY);
        const end = () => {
          handle.removeEventListener("pointermove", move);
          handle.removeEventListener("lostpointercapture", end);
        };
        handle.addEventListener("pointermove", move);
        handle.addEventListener("lostpointercapture", end);
      },
      onDblClick: () => choose(USUAL),
    },
  };
}
