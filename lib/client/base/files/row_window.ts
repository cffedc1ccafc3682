import type { Span } from "./rows.ts";

/** The pure maths of a long listing of which only the rows in view are drawn. All lengths are CSS pixels. */

/** A line of entries; `last` is exclusive. */
export interface Line {
  first: number;
  last: number;
  /** Where the heading above it begins, if it has one. */
  from: number;
  top: number;
  /** Gap included. */
  height: number;
}

/** Lines whose entries have heights and widths of their own. */
export interface Lines {
  /** The number of entries, and the height of all. */
  readonly total: number;
  readonly height: number;
  /** The average height of a line, gap included, and the average number of its entries. */
  readonly rowHeight: number;
  readonly columns: number;
  /** The height of the heading that stays at the top of the view; 0 without groups. */
  readonly heading: number;
  /** The line of an entry. */
  lineOf(index: number): Line;
  /** The line at a height, or the nearest one. */
  lineAt(y: number): Line;
  /** The entry that is nearest in the line below or above; the same one where there is no line. */
  beside(index: number, step: 1 | -1): number;
  /** The entries that a rectangle touches. */
  spansIn(box: Box): Span[];
  /** Where an entry lies. */
  placeOf(index: number): Place;
  /** The same for its style. */
  styleOf(index: number): Record<string, string>;
  /** Where a group lies with its heading. @param starts the first index of each group */
  spanOf(starts: readonly number[], group: number): Record<string, string>;
}

/** A rectangle in CSS pixels, from the start and the top of the rows. */
export interface Box {
  start: number;
  end: number;
  top: number;
  bottom: number;
}

/** The place of an entry, in CSS pixels from the start and the top of the rows. */
export interface Place {
  start: number;
  top: number;
  width: number;
  height: number;
}

/** The arrangement of the entries: `columns` is 1 for a list, more for a grid. */
export interface Grid {
  total: number;
  /** With `lines`, how many there are in one on average. */
  columns: number;
  /** The height of one line of entries, gap included; with `lines`, on average. */
  rowHeight: number;
  /** Where entries have sizes of their own. */
  lines?: Lines | undefined;
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

/** Scroll positions are rounded: this far from the end is the end. */
const AT_END_PX = 1;

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

/** The line at a height; the nearest one where there is none. */
function lineAt(grid: Grid, y: number): Line {
  if (grid.lines) return grid.lines.lineAt(y);
  const section = lastWhere(sectionsOf(grid), ({ top }) => top <= y);
  const lines = Math.ceil((section.last - section.first) / grid.columns);
  const line = Math.max(0, Math.min(lines - 1, Math.floor((y - section.body) / grid.rowHeight)));
  return lineIn(grid, section, line);
}

/** The line of an entry. */
function lineOf(grid: Grid, index: number): Line {
  if (grid.lines) return grid.lines.lineOf(index);
  const section = lastWhere(sectionsOf(grid), ({ first }) => first <= index);
  return lineIn(grid, section, Math.floor((index - section.first) / grid.columns));
}

function lineIn({ columns, rowHeight }: Grid, section: Section, line: number): Line {
  const first = section.first + line * columns;
  const top = section.body + line * rowHeight;
  const last = Math.min(section.last, first + columns);
  return { first, last, top, from: line === 0 ? section.top : top, height: rowHeight };
}

/** The index of the first entry of the line at a height. */
export function entryAt(grid: Grid, y: number): number {
  return lineAt(grid, y).first;
}

/** The offset of the line of an entry from the top of the listing. */
export function topOf(grid: Grid, index: number): number {
  return lineOf(grid, index).top;
}

/** The height of all entries together. */
export function heightOf(grid: Grid): number {
  if (grid.lines) return grid.lines.height;
  const { first, last, body } = lastWhere(sectionsOf(grid), () => true);
  return body + Math.ceil((last - first) / grid.columns) * grid.rowHeight;
}

/**
 * The entries to draw for a viewport.
 *
 * @param overscan lines drawn beyond either edge, so that a little scrolling shows no gap
 */
export function sliceFor(grid: Grid, view: View, overscan: number): Slice {
  const height = heightOf(grid);
  const scrolled = Math.min(Math.max(0, view.scrollTop), Math.max(0, height - view.height));
  const beyond = overscan * grid.rowHeight;
  const { first, from: top } = lineAt(grid, scrolled - beyond);
  const { last } = lineAt(grid, scrolled + view.height + beyond - TINY);
  return { first, last: Math.max(first, last), top, height };
}

/** The lines drawn beyond either edge of the viewport. */
export function overscanFor({ rowHeight }: Grid): number {
  return Math.max(1, Math.round(OVERSCAN_PX / rowHeight));
}

/**
 * The scroll position that keeps the entry at the top of the view there after a change of the
 * layout; a view of the end stays at the end. Null when nothing has changed.
 */
export function scrollToKeep(before: Grid, view: View, now: Grid): number | null {
  const same = before.columns === now.columns && before.rowHeight === now.rowHeight &&
    before.lines === now.lines;
  if (same || before.total !== now.total || before.groups !== now.groups) return null;
  // What is above the rows stays in view.
  if (view.scrollTop < 0) return null;
  const top = view.scrollTop;
  const beyond = top + view.height - heightOf(before);
  // Else the last entry, which may have been asked for, would sink below the edge.
  if (top > 0 && beyond >= -AT_END_PX) return Math.max(0, heightOf(now) - view.height + beyond);
  const topmost = entryAt(before, top);
  const [old, next] = [lineOf(before, topmost), lineOf(now, topmost)];
  // Headings keep their height, lines do not.
  if (top < old.top) return next.from + Math.max(0, top - old.from);
  return next.top + (top - old.top) / old.height * next.height;
}

/** The scroll position at which an entry is wholly in view; unchanged when it already is. */
export function scrollToReveal(grid: Grid, view: View, index: number): number {
  const { top, from, height } = lineOf(grid, index);
  const bottom = top + height;
  const clear = top - (grid.lines?.heading ?? 0);
  if (clear < view.scrollTop) return Math.min(from, clear);
  return bottom > view.scrollTop + view.height ? bottom - view.height : view.scrollTop;
}

/** The scroll position that centres an entry; unchanged when it is well inside the viewport. */
export function scrollToCentre(grid: Grid, view: View, index: number): number {
  const { top, height } = lineOf(grid, index);
  const from = top - view.scrollTop;
  const spare = view.height - height;
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
  if (grid.lines) return grid.lines.beside(index, step);
  const sections = sectionsOf(grid);
  const section = lastWhere(sections, ({ first }) => first <= index);
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
