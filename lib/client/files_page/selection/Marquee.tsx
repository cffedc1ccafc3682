import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { Box } from "../../base/files/row_window.ts";
import { lazy } from "../../base/core/lazy.ts";
import type { ListModel } from "./list_model.ts";
import type { RowWindow } from "../listing/use_window.ts";

const band = lazy(() => import("./marquee.ts"));

/** A press on these elements acts on the entry and does not start a marquee selection. */
const OF_ENTRY = "a, button, input, svg, img, .listing__head, [aria-selected=true]";

/** The marquee: a rectangle drawn with the mouse that selects what it touches. */
export interface MarqueeState {
  /**
   * The rectangle, in pixels from the top left of the scrolled content; null while there is none.
   */
  shown: Signal<Box | null>;
  /** Ref of the scrolling element. */
  onPointerDown: (event: PointerEvent) => void;
}

/**
 * Lets a press of the mouse on empty space start a marquee selection. In the grid no part of a tile
 * is empty; in the list a row is, beside its name.
 *
 * @param list the window that the rows are drawn through
 */
export function useMarquee(
  list: RowWindow,
  { selection, cursor }: Pick<ListModel, "selection" | "cursor">,
): MarqueeState {
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
      // A press on the scroll bar scrolls.
      if (!scroller || !frame || x - frame.left - scroller.clientLeft >= scroller.clientWidth) {
        return;
      }
      const { ctrlKey, metaKey, shiftKey } = event;
      const adds = ctrlKey || metaKey || shiftKey || selection.multiple.peek();
      const start = { x, y };
      const waiting = new AbortController();
      const { signal } = waiting;
      let pointer = start;
      addEventListener("pointermove", ({ clientX, clientY }) => {
        pointer = { x: clientX, y: clientY };
      }, { signal });
      addEventListener("pointerup", () => waiting.abort(), { signal });
      void band.load().then((code) => {
        if (signal.aborted) return;
        waiting.abort();
        // If its code cannot be loaded there are other ways to select.
        code?.trackMarquee({ model: { selection, cursor }, list, shown, start, pointer, adds });
      });
    },
  };
}

interface BandBoxProps {
  shown: ReadonlySignal<Box | null>;
}

/** The rectangle of the marquee selection. */
export function MarqueeBox({ shown }: BandBoxProps) {
  const box = shown.value;
  if (!box) return null;
  const { start, end, top, bottom } = box;
  const style = {
    transform: `translate(${start}px, ${top}px)`,
    inlineSize: `${end - start}px`,
    blockSize: `${bottom - top}px`,
  };
  return <div className="band" style={style} />;
}
