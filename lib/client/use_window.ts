import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
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
  /** How far down the first drawn row starts, and how high all rows are, in pixels; null until measured. */
  box: { top: number; height: number } | null;
  /** How many rows Page Up and Page Down pass over. */
  page: number;
  /** Scrolls as little as it takes to have a row in view. */
  reveal: (index: number) => void;
  /** Scrolls to a height in pixels, as soon as the list has the rows for it. */
  scrollTo: (top: number) => void;
}

/** What was found out about a list of so many rows. */
interface Measured {
  total: number;
  slice: Slice;
  page: number;
}

/**
 * Draws only the rows of a list that are in view, and some around them. The scroll bar is that of
 * the whole list. Row height comes from the style sheet: it is measured, and again when it changes.
 *
 * @param sticky the height in pixels of what stays at the top of the scroller, read when needed
 */
export function useWindow(total: number, sticky: () => number): RowWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const [known, setKnown] = useState<Measured | null>(null);
  const wantedTop = useRef<number | null>(null);

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
    if (!seen) return setKnown(null);
    const now = {
      total,
      slice: sliceFor(seen.grid, seen.view),
      page: pageOf(seen.grid, seen.view),
    };
    setKnown((before) => before && same(before, now) ? before : now);
  };

  const measured = known?.total === total ? known : null;
  useLayoutEffect(update, [total]);
  useLayoutEffect(() => {
    if (!measured || wantedTop.current === null || !scroller.current) return;
    scroller.current.scrollTop = wantedTop.current;
    wantedTop.current = null;
    update();
  });
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
  return {
    scroller,
    rows,
    first: slice?.first ?? 0,
    last: Math.min(total, slice?.last ?? FIRST_ROWS),
    box: slice ? { top: slice.top, height: slice.height } : null,
    page: measured?.page ?? 1,
    reveal(index) {
      const seen = look();
      if (!seen || !scroller.current) return;
      scroller.current.scrollTop = scrollToReveal(seen.grid, seen.view, index);
      update();
    },
    scrollTo(top) {
      wantedTop.current = top;
      setKnown((before) => before && { ...before });
    },
  };
}

function same(a: Measured, b: Measured): boolean {
  return a.total === b.total && a.page === b.page && a.slice.first === b.slice.first &&
    a.slice.last === b.slice.last && a.slice.height === b.slice.height;
}
