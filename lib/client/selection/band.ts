import type { Span } from "../listing/rows.ts";
import type { Grid } from "../listing/virtual.ts";

/** A rectangle in CSS pixels, from the start and the top of the rows. */
export interface Box {
  start: number;
  end: number;
  top: number;
  bottom: number;
}

/** How wide the lines of a grid are, and the gap between two entries, in CSS pixels. */
export interface Width {
  line: number;
  gap: number;
}

/** A point in CSS pixels. */
export interface Point {
  x: number;
  y: number;
}

/** The entries that a rectangle touches, line by line; whole lines together are one span. */
export function spansIn(grid: Grid, width: Width, box: Box): Span[] {
  const { total, columns, rowHeight } = grid;
  const lines = Math.ceil(total / columns);
  const [firstLine, lastLine] = touched(box.top, box.bottom, rowHeight, width.gap, lines);
  const stride = (width.line + width.gap) / columns;
  const [first, last] = touched(box.start, box.end, stride, width.gap, columns);
  if (firstLine > lastLine || first > last) return [];
  if (last - first + 1 === columns) return clipped(firstLine * columns, (lastLine + 1) * columns);
  const spans = [];
  for (let line = firstLine; line <= lastLine; line++) {
    spans.push(...clipped(line * columns + first, line * columns + last + 1));
  }
  return spans;

  function clipped(from: number, to: number): Span[] {
    return from < total ? [{ from, to: Math.min(to, total) }] : [];
  }
}

/** The first and the last of `count` cells, `stride` apart with gaps between, that a range touches. */
function touched(
  from: number,
  to: number,
  stride: number,
  gap: number,
  count: number,
): [first: number, last: number] {
  const first = Math.floor(Math.max(0, from + gap) / stride);
  const last = Math.floor(to / stride);
  return [first, Math.min(count - 1, last)];
}

/** Pixels to scroll with each frame while the pointer is at an edge of the view, or beyond it. */
export function edgeSpeed(y: number, top: number, bottom: number): number {
  const depth = y < top + EDGE_PX ? y - top - EDGE_PX : Math.max(0, y - bottom + EDGE_PX);
  return Math.max(-MAX_SPEED, Math.min(MAX_SPEED, Math.round(depth / 3)));
}

const EDGE_PX = 24;
const MAX_SPEED = 48;
