import { useRef } from "react";
import { lazy } from "../../base/core/lazy.ts";
import { usePage } from "../../base/core/page.ts";
import { indexOf, unmarkText } from "../../base/files/page_dom.ts";
import type { RowMenu } from "../menu/row_menu.ts";
import type { ListModel } from "../selection/list_model.ts";
import type { MarqueeState } from "../selection/Marquee.tsx";
import type { RowWindow } from "./use_window.ts";

const endSelection = lazy(() => import("../../base/core/close_request.ts"));

/** The handlers of the element that holds the rows. */
export interface ListPointer extends LongPress {
  onClick: (event: MouseEvent) => void;
  onDblClick: (event: MouseEvent) => void;
  onFocusIn: (event: FocusEvent) => void;
}

/**
 * The pointer handlers of rows. A mouse selects with a click and opens with a double click (or a
 * click, by preference); a finger opens with a tap and selects with a long press, after which taps
 * toggle.
 *
 * @param list the window that the rows are drawn through
 */
export function useListPointer(
  list: Pick<RowWindow, "reveal">,
  { selection, cursor, openAt }: ListModel,
): ListPointer {
  const { user, share } = usePage().data;
  // Visitors see no reason to select first.
  const singleClick = share !== undefined || (user?.singleClick ?? false);
  const byFinger = useRef(false);

  const press = useLongPress((target) => {
    const index = indexOf(target);
    if (index < 0) return;
    selection.multiple.value = true;
    // Back ends the selection, in place of leaving the folder.
    void endSelection.load().then((code) => code?.endSelectionOnBack(selection));
    cursor.put(index);
    selection.click(index, { toggle: true });
    list.reveal(index);
  });

  return {
    ...press,
    onClick(event) {
      const index = indexOf(event.target);
      byFinger.current = isTouch(event);
      if (index < 0 || isButton(event.target)) return;
      const tick = event.target instanceof HTMLInputElement;
      if (!tick) event.preventDefault();

      cursor.put(index);
      const held = { toggle: event.ctrlKey || event.metaKey, range: event.shiftKey };
      if (tick) return selection.click(index, { ...held, toggle: true });
      if (opens(event, singleClick) && !selection.multiple.peek()) {
        return openAt(index);
      }
      selection.click(index, held);
    },
    onDblClick(event) {
      const index = indexOf(event.target);
      // `dblclick` has no `pointerType`.
      const plain = !(event.target instanceof HTMLInputElement) && !byFinger.current;
      if (index >= 0 && plain && !singleClick) openAt(index);
    },
    onFocusIn(event) {
      const index = indexOf(event.target);
      if (index >= 0) cursor.put(index);
    },
  };
}

/** Whether a press is on empty space: on no entry, nor the column head. */
function isEmpty(target: EventTarget | null): boolean {
  return target instanceof Element && !target.closest("[role=row], .readme");
}

/** The handlers of the element that scrolls rows: beside them, a press begins a marquee. */
export function listHandlers(
  menu: RowMenu,
  band: Pick<MarqueeState, "onPointerDown">,
  selection: Pick<ListModel["selection"], "clear">,
) {
  return {
    ...menu,
    onPointerDown(event: PointerEvent) {
      unmarkText();
      band.onPointerDown(event);
    },
    onClick(event: MouseEvent) {
      if (isEmpty(event.target)) selection.clear();
      menu.onClick(event);
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

/** A row's menu button is not part of the row, nor is the link to its folder. */
function isButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, .row__place") !== null;
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
}

/** Recognizes a long press of a finger. Mouse and pen are ignored. */
export function useLongPress(onPress: (target: Element) => void): LongPress {
  const held = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const touching = useRef(false);

  const release = () => {
    if (held.current) clearTimeout(held.current.timer);
    held.current = null;
  };

  return {
    onPointerDown(event) {
      release();
      touching.current = event.pointerType === "touch";
      const { target, clientX: x, clientY: y } = event;
      if (!touching.current || !(target instanceof Element)) return;
      const timer = setTimeout(() => {
        held.current = null;
        navigator.vibrate?.(8);
        ignoreNextClick();
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
  };
}

/**
 * Ignores the click of a finger that is lifted after a long press, and the press that browsers
 * report with it: by then the bar of the selection may lie below it. The next touch ends that.
 */
function ignoreNextClick(): void {
  const next = new AbortController();
  const options = { capture: true, signal: next.signal };
  addEventListener("pointerdown", () => next.abort(), options);
  for (const type of ["mousedown", "click"]) {
    addEventListener(type, (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (type === "click") next.abort();
    }, options);
  }
}
