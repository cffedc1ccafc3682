import { useRef } from "react";
import { lazy } from "../core/lazy.ts";
import { usePage } from "../core/page.ts";
import { indexOf } from "./page_dom.ts";
import { useFiles } from "../navigation/use_files.ts";

const endSelection = lazy(() => import("../core/close_request.ts"));

/** The handlers of the element that holds the rows. */
export interface ListPointer extends Omit<LongPress, "swallow"> {
  onClick: (event: MouseEvent) => void;
  onDblClick: (event: MouseEvent) => void;
  onFocusIn: (event: FocusEvent) => void;
}

/**
 * The pointer handlers of rows. A mouse selects with a click and opens with a double click (or a
 * click, by preference); a finger opens with a tap and selects with a long press, after which taps
 * toggle.
 */
export function useListPointer(): ListPointer {
  const { listing, actions } = useFiles();
  const { selection, cursor } = listing;
  const { user } = usePage().data;
  const byFinger = useRef(false);

  const { swallow, ...press } = useLongPress((target) => {
    const index = indexOf(target);
    if (index < 0) return;
    selection.multiple.value = true;
    // Otherwise the back button leaves the folder.
    void endSelection.load().then((code) => code?.endSelectionOnBack(selection));
    selection.click(index, { toggle: true });
  });

  return {
    ...press,
    onClick(event) {
      const index = indexOf(event.target);
      byFinger.current = isTouch(event);
      if (index < 0 || isButton(event.target)) return;
      const tick = event.target instanceof HTMLInputElement;
      if (!tick) event.preventDefault();
      if (swallow()) return;

      cursor.put(index);
      const held = { toggle: event.ctrlKey || event.metaKey, range: event.shiftKey };
      if (tick) return selection.click(index, { ...held, toggle: true });
      if (opens(event, user?.singleClick ?? false) && !selection.multiple.peek()) {
        return actions.openAt(index);
      }
      selection.click(index, held);
    },
    onDblClick(event) {
      const index = indexOf(event.target);
      // `dblclick` has no `pointerType`.
      const plain = !(event.target instanceof HTMLInputElement) && !byFinger.current;
      if (index >= 0 && plain && !user?.singleClick) actions.openAt(index);
    },
    onFocusIn(event) {
      const index = indexOf(event.target);
      if (index >= 0) cursor.put(index);
    },
  };
}

/** Whether one click opens: from the keyboard or a screen reader, by touch, or by preference. */
function opens(event: MouseEvent, singleClick: boolean): boolean {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return false;
  return singleClick || event.detail === 0 || isTouch(event);
}

/** Browsers send a click as a PointerEvent with a `pointerType`. */
function isTouch(event: MouseEvent): boolean {
  return "pointerType" in event && event.pointerType === "touch";
}

/** A row's menu button is not part of the row. */
function isButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button") !== null;
}

/** The duration of a long press, and the drift that it tolerates. */
const HOLD_MS = 450;
const DRIFT_PX = 10;

/** The handlers of an element that takes long presses. */
export interface LongPress {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
  onContextMenu: (event: Event) => void;
  /** True once for the click that the browser sends after a long press, which must be ignored. */
  swallow: () => boolean;
}

/** Recognizes a long press of a finger. Mouse and pen are ignored. */
function useLongPress(onPress: (target: Element) => void): LongPress {
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
