import type { Span } from "../../base/files/rows.ts";

/** Cells drawn beyond either end of the view. */
const OVERSCAN = 4;

/** A row or column of cells of one size, and the part of it that is in view. All in pixels. */
export interface CellView {
  /** The distance from the first cell to the view. */
  start: number;
  /** The size of the view. */
  size: number;
  /** The size of a cell. */
  cell: number;
  /** The number of cells. */
  length: number;
}

/** The cells to draw. */
export function spanInView({ start, size, cell, length }: CellView): Span {
  const first = Math.floor(start / cell) - OVERSCAN;
  const last = Math.ceil((start + size) / cell) + OVERSCAN;
  const from = Math.max(0, Math.min(first, length));
  return { from, to: Math.max(from, Math.min(last, length)) };
}

/** The scroll distance that puts a cell into the middle of the view. */
export function centred(place: number, cell: number, size: number): number {
  return Math.max(0, (place + 0.5) * cell - size / 2);
}
