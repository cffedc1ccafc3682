import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { IS_BROWSER } from "fresh/runtime";
import { type Grid, pageOf, scrollToReveal, type Slice, sliceFor, type View } from "./virtual.ts";

/** How many rows a page carries and draws before anything can be measured: what the server renders. */
export const FIRST_ROWS = 50;

/** The part of a long list that is drawn, and the ways to look elsewhere. */
export interface RowWindow {
  /** Goes on the element that scrolls. */
  scroller: RefObject<HTMLDivElement>;
  /** Goes on the element that holds the rows. */
  rows: RefObject<HTMLDivElement>;
  first: number;
  /** Exclusive. */
  last: number;
  /** The room that rows not drawn would take, in pixels; null until measured. */
  before: number | null;
  after: number | null;
  /** How many rows Page Up and Page Down pass over. */
  page: number;
  /** Scrolls as little as it takes to have a row in view. */
  reveal: (index: number) => void;
}

const useMeasure = IS_BROWSER ? useLayoutEffect : useEffect;

/**
 * Draws only the rows of a list that are in view, and some around them. The scroll bar is that of
 * the whole list. Row height comes from the style sheet: it is measured, and again when it changes.
 *
 * @param sticky the height in pixels of what stays at the top of the scroller, read when needed
 */
export function useWindow(total: number, sticky: () => number): RowWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const [measured, setMeasured] = useState<{ slice: Slice; page: number } | null>(null);

  const look = (): { grid: Grid; view: View } | null => {
    const box = scroller.current;
    const row = rows.current?.querySelector<HTMLElement>("[role=row]");
    if (!box || !row || row.offsetHeight === 0) return null;
    return {
      grid: { total, columns: 1, rowHeight: row.offsetHeight },
      view: { scrollTop: box.scrollTop, height: box.clientHeight - sticky() },
    };
  };

  const update = () => {
    const seen = look();
    if (!seen) return setMeasured(null);
    const slice = sliceFor(seen.grid, seen.view);
    const page = pageOf(seen.grid, seen.view);
    setMeasured((was) =>
      was && sameSlice(was.slice, slice) && was.page === page ? was : { slice, page }
    );
  };

  useMeasure(update, [total]);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    box.addEventListener("scroll", update, { passive: true });
    const resized = new ResizeObserver(update);
    resized.observe(box);
    return () => {
      box.removeEventListener("scroll", update);
      resized.disconnect();
    };
  }, [total]);

  const slice = measured?.slice;
  const rowsHeight = slice ? (slice.last - slice.first) * (slice.height / Math.max(1, total)) : 0;
  return {
    scroller,
    rows,
    first: slice?.first ?? 0,
    last: Math.min(total, slice?.last ?? FIRST_ROWS),
    before: slice?.top ?? null,
    after: slice ? slice.height - slice.top - rowsHeight : null,
    page: measured?.page ?? 1,
    reveal(index) {
      const seen = look();
      if (!seen || !scroller.current) return;
      scroller.current.scrollTop = scrollToReveal(seen.grid, seen.view, index);
      update();
    },
  };
}

function sameSlice(a: Slice, b: Slice): boolean {
  return a.first === b.first && a.last === b.last && a.top === b.top && a.height === b.height;
}
