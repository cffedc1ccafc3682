import { useRef } from "react";
import { usePage } from "../core/page.ts";
import { indexOf } from "./row_index.ts";
import { useFiles } from "../navigation/use_files.ts";
import { type LongPress, useLongPress } from "../ui/use_long_press.ts";

/** The handlers of the element that holds the rows. */
export interface ListPointer extends Omit<LongPress, "swallow"> {
  onClick: (event: MouseEvent) => void;
  onDblClick: (event: MouseEvent) => void;
  onFocusIn: (event: FocusEvent) => void;
}

/**
 * What a click or a tap on a row does. A mouse selects with one click and opens with two, or with
 * one where the user wants it so; a finger opens with a tap and selects by resting; while something
 * is selected that way, taps add and take away.
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
    // Without it the way back leaves the folder, as it did before.
    import("../selection/end_selection.ts").then(
      (late) => late.endSelectionOnBack(selection),
      () => {},
    );
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
      // The event itself does not tell what made it.
      const plain = !(event.target instanceof HTMLInputElement) && !byFinger.current;
      if (index >= 0 && plain && !user?.singleClick) actions.openAt(index);
    },
    onFocusIn(event) {
      const index = indexOf(event.target);
      if (index >= 0) cursor.put(index);
    },
  };
}

/** Whether one click opens: from the keyboard or a screen reader, by a finger, or because it is wished. */
function opens(event: MouseEvent, singleClick: boolean): boolean {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return false;
  return singleClick || event.detail === 0 || isTouch(event);
}

/** A click is a PointerEvent in today's browsers, and tells what made it. */
function isTouch(event: MouseEvent): boolean {
  return "pointerType" in event && event.pointerType === "touch";
}

/** The button of a row's menu is no part of the row. */
function isButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button") !== null;
}
