import { useRef } from "react";

/** How long a finger rests before it counts as a long press, and how far it may drift meanwhile. */
const HOLD_MS = 450;
const DRIFT_PX = 10;

/** The handlers of an element on whose parts a finger may rest. */
export interface LongPress {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
  onContextMenu: (event: Event) => void;
  /** True once for the click that the browser sends after a long press: it is to be ignored. */
  swallow: () => boolean;
}

/** Tells a finger that rests from one that taps or scrolls. Mouse and pen are left alone. */
export function useLongPress(onPress: (target: Element) => void): LongPress {
  const held = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const pressed = useRef(false);
  const touching = useRef(false);

  const release = () => {
    if (held.current) clearTimeout(held.current.timer);
    held.current = null;
  };

  return {
    onPointerDown(event) {
      release();
      pressed.current = false;
      touching.current = event.pointerType === "touch";
      const { target, clientX: x, clientY: y } = event;
      if (!touching.current || !(target instanceof Element)) return;
      const timer = setTimeout(() => {
        held.current = null;
        pressed.current = true;
        navigator.vibrate?.(8);
        onPress(target);
      }, HOLD_MS);
      held.current = { timer, x, y };
    },
    onPointerMove({ clientX, clientY }) {
      const start = held.current;
      if (start && Math.hypot(clientX - start.x, clientY - start.y) > DRIFT_PX) release();
    },
    onPointerUp: release,
    onPointerCancel: release,
    onContextMenu(event) {
      if (touching.current) event.preventDefault();
    },
    swallow() {
      const was = pressed.current;
      pressed.current = false;
      return was;
    },
  };
}
