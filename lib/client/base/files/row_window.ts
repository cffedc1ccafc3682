/** The pure maths of a long listing of which only the rows in view are drawn. All lengths are CSS pixels. */

/** The arrangement of the entries: `columns` is 1 for a list, more for a mosaic. */
export interface Grid {
  total: number;
  columns: number;
  /** The height of one line of entries, gap included. */
  rowHeight: number;
  /** The first index of each group, from 0; a group begins a line. One group without it. */
  groups?: readonly number[] | undefined;
  /** The height of the heading above each group, gap included. */
  heading?: number;
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
  /** Offset of the first drawn line, or the heading above it, from the top of the listing. */
  top: number;
  /** The height of the whole listing, for the scroll bar. */
  height: number;
}

/** A group of entries; `last` is exclusive, `top` and `body` are where heading and entries begin. */
export interface Section {
  first: number;
  last: number;
  top: number;
  body: number;
}

/** Overscan beyond either edge of the viewport: enough for a little scrolling to show no gap. */
const OVERSCAN_PX = 120;

/** Less than any distance between two lines. */
const TINY = 1e-6;

/** The groups of a grid, from the top; one without a heading where nothing is grouped. */
export function sectionsOf({ total, columns, rowHeight, groups, heading = 0 }: Grid): Section[] {
  const starts = groups?.filter((start) => start < total) ?? [];
  if (starts.length === 0) return [{ first: 0, last: total, top: 0, body: 0 }];
  let top = 0;
  return starts.map((first, index) => {
    const last = starts[index + 1] ?? total;
    const section = { first, last, top, body: top + heading };
    top = section.body + Math.ceil((last - first) / columns) * rowHeight;
    return section;
  });
}

function lastWhere(sections: readonly Section[], holds: (section: Section) => boolean): Section {
  return sections.findLast(holds) ?? sections[0] ?? { first: 0, last: 0, top: 0, body: 0 };
}

/** The index of the first entry of the line at a height; of the nearest line where there is none. */
function lineAt(grid: Grid, sections: readonly Section[], y: number): number {
  const { first, last, body } = lastWhere(sections, ({ top }) => top <= y);
  const lines = Math.ceil((last - first) / grid.columns);
  const line = Math.max(0, Math.min(lines - 1, Math.floor((y - body) / grid.rowHeight)));
  return first + line * grid.columns;
}

/** The index of the first entry of the line at a height. */
export function entryAt(grid: Grid, y: number): number {
  return lineAt(grid, sectionsOf(grid), y);
}

/** The offset of the line of an entry from the top of the listing. */
export function topOf(grid: Grid, index: number): number {
  return placeOf(grid, sectionsOf(grid), index).top;
}

/** Where the line of an entry begins: its offset, and that of the heading right above it. */
function placeOf(grid: Grid, sections: readonly Section[], index: number) {
  const section = lastWhere(sections, ({ first }) => first <= index);
  const line = Math.floor((index - section.first) / grid.columns);
  const top = section.body + line * grid.rowHeight;
  return { section, top, from: line === 0 ? section.top : top };
}

/** The height of all entries together. */
export function heightOf(grid: Grid): number {
  const { first, last, body } = lastWhere(sectionsOf(grid), () => true);
  return body + Math.ceil((last - first) / grid.columns) * grid.rowHeight;
}

/**
 * The entries to draw for a viewport.
 *
 * @param overscan lines drawn beyond either edge, so that a little scrolling shows no gap
 */
export function sliceFor(grid: Grid, view: View, overscan: number): Slice {
  const { columns, rowHeight } = grid;
  const sections = sectionsOf(grid);
  const height = heightOf(grid);
  const scrolled = Math.min(Math.max(0, view.scrollTop), Math.max(0, height - view.height));
  const beyond = overscan * rowHeight;
  const first = lineAt(grid, sections, scrolled - beyond);
  const end = lineAt(grid, sections, scrolled + view.height + beyond - TINY);
  const { section } = placeOf(grid, sections, end);
  return {
    first,
    last: Math.max(first, Math.min(section.last, end + columns)),
    top: placeOf(grid, sections, first).from,
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
  if (same || before.total !== now.total || before.groups !== now.groups) return null;
  const top = Math.max(0, view.scrollTop);
  const topmost = entryAt(before, top);
  const [old, next] = [before, now].map((grid) => placeOf(grid, sectionsOf(grid), topmost));
  if (!old || !next) return null;
  // Headings keep their height, lines do not.
  if (top < old.top) return next.from + Math.max(0, top - old.from);
  return next.top + (top - old.top) / before.rowHeight * now.rowHeight;
}

/** The scroll position at which an entry is wholly in view; unchanged when it already is. */
export function scrollToReveal(grid: Grid, view: View, index: number): number {
  const { top, from } = placeOf(grid, sectionsOf(grid), index);
  const bottom = top + grid.rowHeight;
  if (top < view.scrollTop) return from;
  return bottom > view.scrollTop + view.height ? bottom - view.height : view.scrollTop;
}

/** The scroll position that centres an entry; unchanged when it is well inside the viewport. */
export function scrollToCentre(grid: Grid, view: View, index: number): number {
  const top = topOf(grid, index);
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

/**
 * The entry in the line above or below another, in its column or the last one there; the same entry
 * when there is no such line.
 */
export function besideLine(grid: Grid, index: number, step: 1 | -1): number {
  const sections = sectionsOf(grid);
  const { section } = placeOf(grid, sections, index);
  const column = (index - section.first) % grid.columns;
  const inLine = (first: number, last: number) =>
    Math.min(first + column, first + grid.columns - 1, last - 1);
  const line = index - column + step * grid.columns;
  if (line >= section.first && line < section.last) return inLine(line, section.last);
  const other = sections[sections.indexOf(section) + step];
  if (!other) return index;
  const lines = Math.ceil((other.last - other.first) / grid.columns);
  const first = step === 1 ? other.first : other.first + (lines - 1) * grid.columns;
  return inLine(first, other.last);
}
