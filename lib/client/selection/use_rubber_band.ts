import { type Signal, useSignal } from "@preact/signals";
import type { Box } from "./band.ts";
import { useFiles } from "../navigation/use_files.ts";
import type { RowWindow } from "../listing/use_window.ts";

/** What a press on is meant for the entry itself, and begins no band. */
const OF_ENTRY = "a, button, input, svg, img, .listing__head, [aria-selected=true]";

/** A rectangle drawn with the mouse that selects what it touches. */
export interface RubberBand {
  /** Where it is, in pixels from the top left of what scrolls; null while there is none. */
  shown: Signal<Box | null>;
  /** Goes on the element that scrolls. */
  onPointerDown: (event: PointerEvent) => void;
}

/**
 * Lets a press of the mouse on empty space draw a rectangle that selects. In the mosaics a tile is
 * not empty anywhere; in the list a row is, beside its name.
 *
 * @param list the window that the rows are drawn through
 */
export function useRubberBand(list: RowWindow): RubberBand {
  const { listing } = useFiles();
  const shown = useSignal<Box | null>(null);
  return {
    shown,
    onPointerDown(event) {
      const { target, clientX: x, clientY: y } = event;
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      if (!(target instanceof Element) || target.closest(OF_ENTRY)) return;
      if (list.columns > 1 && target.closest("[data-index]")) return;
      const scroller = list.scroller.current;
      const frame = scroller?.getBoundingClientRect();
      // A press on the scroll bar is the scroller's own.
      if (!scroller || !frame || x - frame.left - scroller.clientLeft >= scroller.clientWidth) {
        return;
      }
      const { ctrlKey, metaKey, shiftKey } = event;
      const adds = ctrlKey || metaKey || shiftKey || listing.selection.multiple.peek();
      const start = { x, y };
      const waiting = new AbortController();
      const { signal } = waiting;
      let pointer = start;
      addEventListener("pointermove", ({ clientX, clientY }) => {
        pointer = { x: clientX, y: clientY };
      }, { signal });
      addEventListener("pointerup", () => waiting.abort(), { signal });
      void import("./draw_band.ts").then(
        ({ drawBand }) => {
          if (signal.aborted) return;
          waiting.abort();
          drawBand({ listing, list, shown, start, pointer, adds });
        },
        // Without the code there is no band; everything can be selected otherwise.
        () => waiting.abort(),
      );
    },
  };
}
