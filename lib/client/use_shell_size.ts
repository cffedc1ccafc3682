import { type RefObject, useEffect, useState } from "react";
import { type BrowserStorage, keepIn, openLocalStorage } from "./browser_storage.ts";

const KEY = "cubby-shell-height";

/** How low the panel may be, in pixels. */
export const LOWEST = 140;

/** How high it is unless somebody has chosen. */
export const USUAL = 288;

/** How much one press of an arrow key changes, in pixels. */
const KEY_STEP = 24;

/** A height within its bounds. */
export function boundHeight(height: number, highest: number): number {
  return Math.round(Math.max(LOWEST, Math.min(height, Math.max(LOWEST, highest))));
}

/** What a key on the separator makes of a height; null when it means nothing there. */
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

/** The height that was chosen last. */
export function readHeight(storage: Pick<BrowserStorage, "getItem">): number {
  const stored = Number(storage.getItem(KEY));
  return stored >= LOWEST ? stored : USUAL;
}

/** Remembers a height. */
export function keepHeight(storage: Pick<BrowserStorage, "setItem">, height: number): void {
  keepIn(storage, KEY, String(height));
}

/** How much of the page above the panel stays in view, in pixels. */
const LEFT_ABOVE = 160;

/** What goes on the separator that is dragged. */
export interface SeparatorHandlers {
  "aria-valuenow": number;
  "aria-valuemin": number;
  "aria-valuemax": number;
  onKeyDown: (event: KeyboardEvent) => void;
  onPointerDown: (event: PointerEvent) => void;
  onDblClick: () => void;
}

/** How high the shell is, by the mouse and by keys; it is remembered. */
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
  // What floats over the page keeps above the panel.
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
