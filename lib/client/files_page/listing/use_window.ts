import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { FIRST_ROWS } from "../../../shared/page_data.ts";
import {
  type Grid,
  heightOf,
  type Lines,
  overscanFor,
  pageOf,
  scrollToCentre,
  scrollToKeep,
  scrollToReveal,
  type Slice,
  sliceFor,
  type View,
} from "../../base/files/row_window.ts";

/** The drawn part of a long list, and methods to scroll it. */
export interface RowWindow {
  /** Ref of the scrolling element. */
  scroller: RefObject<HTMLDivElement>;
  /** Ref of the element that holds the rows. */
  rows: RefObject<HTMLDivElement>;
  first: number;
  /** Exclusive. */
  last: number;
  /** The top of the first drawn row and the height of all rows, in pixels; null until measured. */
  box: { top: number; height: number } | null;
  /** The number of rows that Page Up and Page Down skip. */
  page: number;
  /** Columns of the grid. */
  columns: number;
  /** The lines, where entries have sizes of their own. */
  lines: Lines | undefined;
  /** Scrolls just far enough to reveal a row. */
  reveal: (index: number) => void;
  /** Scrolls a row clear of what has come over the end of the viewport. */
  uncover: (index: number) => void;
  /** Centres a row, unless it is well inside the viewport. */
  centre: (index: number) => void;
  /**
   * Scrolls to a height in pixels, as soon as the list has the rows for it, then reveals a row; -1
   * for none.
   */
  scrollTo: (top: number, index: number) => void;
  /** The current grid and viewport, measured now; null while nothing is drawn. */
  look: () => { grid: Grid; view: View } | null;
}

/** Arranges rows whose entries have sizes of their own; null while they have no room. */
export type Arrange = (
  rows: HTMLElement,
  total: number,
  groups: readonly number[] | undefined,
) => Lines | null;

/** The measurements of a list. */
interface Measured {
  grid: Grid;
  slice: Slice;
  page: number;
}

function measure(grid: Grid, view: View): Measured {
  return { grid, slice: sliceFor(grid, view, overscanFor(grid)), page: pageOf(grid, view) };
}

/**
 * Draws only the rows of a list that are in the viewport, and some around them. The scroll bar is
 * that of the whole list. The grid comes from the style sheet: it is measured, and again when it
 * changes; the entry at the top of the viewport then stays there.
 *
 * @param layout names the arrangement; a change measures again
 * @param sticky the height in pixels of what stays at the top of the scroller, read when needed
 * @param groups the first index of each group, for headings between the rows
 * @param arrange for entries with sizes of their own; null while these are not known: the first
 * rows are drawn as the style sheet arranges them
 */
export function useWindow(
  total: number,
  layout: string,
  sticky: () => number,
  groups?: readonly number[],
  arrange?: Arrange | null,
): RowWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const [known, setKnown] = useState<Measured | null>(null);
  const seenLast = useRef<{ grid: Grid; view: View } | null>(null);
  const wantedTop = useRef<number | null>(null);
  const wantedRow = useRef(-1);

  /** The height of what scrolls away above the rows, besides what stays. */
  const above = () => scroller.current?.querySelector("[data-above]")?.clientHeight ?? 0;
  const look = () => {
    const box = scroller.current;
    const grid = rows.current &&
      (arrange === undefined
        ? gridOf(rows.current, total, groups, seenLast.current?.grid)
        : arrangedGrid(rows.current, total, groups, arrange));
    if (!box || !grid) return null;
    const view = { scrollTop: box.scrollTop - above(), height: box.clientHeight - sticky() };
    return { grid, view };
  };

  const update = () => {
    const seen = look();
    if (!seen) return setKnown(null);
    const before = seenLast.current;
    if (before && wantedTop.current === null) {
      const top = scrollToKeep(before.grid, before.view, seen.grid);
      if (top !== null) {
        wantedTop.current = top + above();
        seen.view.scrollTop = top;
      }
    }
    seenLast.current = seen;
    const now = measure(seen.grid, seen.view);
    setKnown((before) => before && same(before, now) ? before : now);
  };

  // When entries come or go the others keep their places until the next measurement.
  const view = seenLast.current?.view;
  const measured = known?.grid.total === total
    ? known
    : known && view && measure({ ...known.grid, total, groups }, view);
  useLayoutEffect(update, [total, layout, groups, arrange]);
  useLayoutEffect(() => {
    if (!measured || wantedTop.current === null || !scroller.current) return;
    // The rows get their new height with the next rendering: until then the end is elsewhere.
    const grid = seenLast.current?.grid;
    if (grid && heightOf(grid) !== measured.slice.height) return;
    scroller.current.scrollTop = wantedTop.current;
    wantedTop.current = null;
    const seen = wantedRow.current >= 0 ? look() : null;
    if (seen) {
      const top = scrollToReveal(seen.grid, seen.view, wantedRow.current);
      scroller.current.scrollTop = top + above();
    }
    wantedRow.current = -1;
    update();
  });
  useLayoutEffect(() => scroller.current ? watchView(scroller.current, update) : undefined, [
    total,
    groups,
    arrange,
  ]);

  const move = (topOf: (grid: Grid, view: View, box: Element) => number) => {
    const seen = look();
    if (!seen || !scroller.current) return;
    wantedTop.current = null;
    scroller.current.scrollTop = topOf(seen.grid, seen.view, scroller.current) + above();
    update();
  };

  const slice = measured?.slice;
  return {
    scroller,
    rows,
    first: slice?.first ?? 0,
    last: Math.min(total, slice?.last ?? FIRST_ROWS),
    box: slice ? { top: slice.top, height: slice.height } : null,
    page: measured?.page ?? 1,
    columns: measured?.grid.columns ?? 1,
    lines: measured?.grid.lines,
    look,
    reveal(index) {
      if (look()) return move((grid, view, box) => scrollClear(grid, view, index, coveredIn(box)));
      // Before the first measurement: as soon as the lines are known.
      wantedTop.current ??= scroller.current?.scrollTop ?? 0;
      wantedRow.current = index;
    },
    uncover(index) {
      // A place that is about to be scrolled to goes first.
      if (wantedTop.current !== null) return;
      move((grid, view, box) => {
        const covered = coveredIn(box);
        const top = scrollClear(grid, view, index, covered);
        const isCovered = top > view.scrollTop && top <= view.scrollTop + covered;
        return isCovered ? top : view.scrollTop;
      });
    },
    centre: (index) => move((grid, view) => scrollToCentre(grid, view, index)),
    scrollTo(top, index) {
      wantedTop.current = top;
      wantedRow.current = index;
      setKnown((before) => before && { ...before });
    },
  };
}

/** The scroll position at which a row is above what covers the end of the viewport. */
function scrollClear(grid: Grid, view: View, index: number, covered: number): number {
  return scrollToReveal(grid, { ...view, height: view.height - covered }, index);
}

/** The height at the end of a scroller that may be covered, in pixels. */
function coveredIn(box: Element): number {
  return Number.parseFloat(getComputedStyle(box).scrollPaddingBottom) || 0;
}

/**
 * Calls back when the scroller was scrolled or resized.
 *
 * @returns stops it
 */
function watchView(box: HTMLElement, update: () => void): () => void {
  box.addEventListener("scroll", update, { passive: true });
  const resized = new ResizeObserver(update);
  resized.observe(box);
  return () => {
    box.removeEventListener("scroll", update);
    resized.disconnect();
  };
}

/** Tolerance for heights, in pixels: rounding depends on the row's position. */
const TOLERANCE = 0.1;

/** The grid of the drawn rows; null while there are none, or none visible. */
function gridOf(
  rows: HTMLElement,
  total: number,
  groups: readonly number[] | undefined,
  before: Grid | undefined,
): Grid | null {
  const row = rows.querySelector("[role=row]:not(.group)");
  // The rectangle of a row millions of pixels away is rounded; its computed style is not.
  const height = row ? Number.parseFloat(getComputedStyle(row).height) : 0;
  if (!(height > 0)) return null;
  // Nothing scrolls in the rows: the padding only tells the height of headings, in pixels.
  const { display, gridTemplateColumns, rowGap, scrollPaddingTop } = getComputedStyle(rows);
  const isGrid = display === "grid";
  const columns = isGrid ? gridTemplateColumns.split(" ").length : 1;
  const gap = isGrid ? Number.parseFloat(rowGap) || 0 : 0;
  const measured = height + gap;
  const heading = groups && (Number.parseFloat(scrollPaddingTop) || 0) + gap;
  const same = before?.columns === columns && Math.abs(before.rowHeight - measured) < TOLERANCE;
  return { total, columns, rowHeight: same ? before.rowHeight : measured, groups, heading };
}

/** The grid of entries with sizes of their own; null while they are not known. */
function arrangedGrid(
  rows: HTMLElement,
  total: number,
  groups: readonly number[] | undefined,
  arrange: Arrange | null,
): Grid | null {
  const lines = total > 0 ? arrange?.(rows, total, groups) : null;
  if (!lines) return null;
  const { columns, rowHeight } = lines;
  return { total, columns, rowHeight, groups, lines };
}

function same(a: Measured, b: Measured): boolean {
  return a.grid.total === b.grid.total && a.grid.lines === b.grid.lines &&
    a.grid.columns === b.grid.columns && a.page === b.page &&
    a.slice.first === b.slice.first && a.slice.last === b.slice.last &&
    a.slice.height === b.slice.height;
}
