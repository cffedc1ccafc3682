import { type RefObject, useEffect, useState } from "react";
import { boundHeight, heightByKey, keepHeight, LOWEST, readHeight, USUAL } from "./shell_height.ts";
import { openLocalStorage } from "../core/browser_storage.ts";

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
