/** The pure maths of a long listing of which only the rows in view are drawn. All lengths are CSS pixels. */

/** The arrangement of the entries: `columns` is 1 for a list, more for a mosaic. */
export interface Grid {
  total: number;
  columns: number;
  /** The height of one line of entries, gap included. */
  rowHeight: number;
}

/** The viewport: the distance from the top of the listing to its top, and its height. */
export interface View {
  scrollTop: number;
  height: number;
}

/** The entries to draw. Indexes count entries; `last` is exclusive. */
export interface Slice {
  first: number;
  last: number;
  /** Offset of the first drawn line from the top of the listing. */
  top: number;
  /** The height of the whole listing, for the scroll bar. */
  height: number;
}

/** Overscan beyond either edge of the viewport: enough for a little scrolling to show no gap. */
const OVERSCAN_PX = 120;

/** The height of all entries together. */
export function heightOf({ total, columns, rowHeight }: Grid): number {
  return Math.ceil(total / columns) * rowHeight;
}

/**
 * The entries to draw for a viewport.
 *
 * @param overscan lines drawn beyond either edge, so that a little scrolling shows no gap
 */
export function sliceFor(grid: Grid, view: View, overscan: number): Slice {
  const { total, columns, rowHeight } = grid;
  const height = heightOf(grid);
  const lines = Math.ceil(total / columns);
  const scrolled = Math.min(Math.max(0, view.scrollTop), Math.max(0, height - view.height));
  const firstLine = Math.max(0, Math.floor(scrolled / rowHeight) - overscan);
  const lastLine = Math.min(lines, Math.ceil((scrolled + view.height) / rowHeight) + overscan);
  return {
    first: firstLine * columns,
    last: Math.min(total, lastLine * columns),
    top: firstLine * rowHeight,
    height,
  };
}

/** The lines drawn beyond either edge of the viewport. */
export function overscanFor({ rowHeight }: Grid): number {
  return Math.max(1, Math.round(OVERSCAN_PX / rowHeight));
}

/**
 * The scroll position that keeps the entry at the top of the view there after a change of the
 * layout; null when there was none.
 */
export function scrollToKeep(before: Grid, view: View, now: Grid): number | null {
  const same = before.columns === now.columns && before.rowHeight === now.rowHeight;
  if (same || before.total !== now.total) return null;
  const lines = Math.max(0, view.scrollTop) / before.rowHeight;
  const topmost = Math.floor(lines) * before.columns;
  return (Math.floor(topmost / now.columns) + lines % 1) * now.rowHeight;
}

/** The scroll position at which an entry is wholly in view; unchanged when it already is. */
export function scrollToReveal(grid: Grid, view: View, index: number): number {
  const top = Math.floor(index / grid.columns) * grid.rowHeight;
  const bottom = top + grid.rowHeight;
  if (top < view.scrollTop) return top;
  return bottom > view.scrollTop + view.height ? bottom - view.height : view.scrollTop;
}

/** The scroll position that centres an entry; unchanged when it is well inside the viewport. */
export function scrollToCentre(grid: Grid, view: View, index: number): number {
  const top = Math.floor(index / grid.columns) * grid.rowHeight;
  const from = top - view.scrollTop;
  const spare = view.height - grid.rowHeight;
  if (from >= spare / 4 && from <= spare * 3 / 4) return view.scrollTop;
  if (top < spare / 2 && view.scrollTop === 0) return 0;
  return Math.max(0, top - spare / 2);
}

/** The entries that Page Up or Page Down skips; at least one line. */
export function pageOf(grid: Grid, view: View): number {
  return Math.max(1, Math.floor(view.height / grid.rowHeight) - 1) * grid.columns;
}
