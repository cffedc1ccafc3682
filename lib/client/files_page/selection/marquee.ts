import type { Signal } from "@preact/signals";
import type { ListModel } from "./list_model.ts";
import type { RowWindow } from "../listing/use_window.ts";
import type { Span } from "../../base/files/rows.ts";
import { type Box, type Grid, sectionsOf } from "../../base/files/row_window.ts";

/** The width of a column and the gap between two entries, in CSS pixels. */
export interface Width {
  line: number;
  gap: number;
}

/** A point in CSS pixels. */
export interface Point {
  x: number;
  y: number;
}

/** The entries that a rectangle touches, line by line; adjacent whole lines are one span. */
export function spansIn(grid: Grid, width: Width, box: Box): Span[] {
  if (grid.lines) return grid.lines.spansIn(box);
  return sectionsOf(grid).flatMap(({ first, last, body }) => {
    const within = { ...box, top: box.top - body, bottom: box.bottom - body };
    // The heading above the entries is none of them.
    if (within.bottom < 0) return [];
    return spansInLines({ ...grid, total: last - first }, width, within)
      .map(({ from, to }) => ({ from: from + first, to: to + first }));
  });
}

function spansInLines(grid: Grid, width: Width, box: Box): Span[] {
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

/** Pixels to scroll per frame while the pointer is at or beyond an edge of the viewport. */
export function edgeSpeed(y: number, top: number, bottom: number): number {
  const depth = y < top + EDGE_PX ? y - top - EDGE_PX : Math.max(0, y - bottom + EDGE_PX);
  return Math.max(-MAX_SPEED, Math.min(MAX_SPEED, Math.round(depth / 3)));
}

const EDGE_PX = 24;
const MAX_SPEED = 48;

/** The options of a marquee selection. */
export interface MarqueeOptions {
  model: Pick<ListModel, "selection" | "cursor">;
  list: Pick<RowWindow, "scroller" | "rows" | "look">;
  /**
   * The rectangle to show, in pixels from the top left of the scrolled content; null when it ends.
   */
  shown: Signal<Box | null>;
  /** The start of the press and the present position of the pointer, in window coordinates. */
  start: Point;
  pointer: Point;
  /** Adds to the selection. */
  adds: boolean;
}

/** The distance in pixels from which a press is a marquee selection and not a click. */
const THRESHOLD_PX = 4;

/**
 * Tracks the pointer from press to release, and selects the entries that the rectangle between the
 * two touches. At the edges of the viewport it scrolls; Esc restores the former selection.
 */
export function trackMarquee(options: MarqueeOptions): void {
  const { model: { selection, cursor }, list, shown, start } = options;
  const scroller = list.scroller.current;
  if (!scroller) return;
  const frame = scroller.getBoundingClientRect();
  const origin = inContent(start);
  const before = selection.saved();
  const holding = new AbortController();
  const { signal } = holding;
  let { pointer } = options;
  let state: "pressed" | "drawing" | "given up" = "pressed";
  let last = "";

  const listen = <K extends keyof WindowEventMap>(
    type: K,
    listener: (event: WindowEventMap[K]) => void,
  ) => addEventListener(type, listener, { signal, capture: true });
  listen("pointermove", (event) => {
    pointer = { x: event.clientX, y: event.clientY };
    begin();
  });
  listen("pointerup", () => release());
  listen("pointercancel", () => release());
  listen("blur", () => release());
  listen("dragstart", (event) => event.preventDefault());
  listen("selectstart", (event) => event.preventDefault());
  listen("keydown", (event) => {
    if (state !== "drawing" || event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    state = "given up";
    shown.value = null;
    selection.selectSpans([], before);
  });
  begin();

  function begin(): void {
    const far = Math.hypot(pointer.x - start.x, pointer.y - start.y) > THRESHOLD_PX;
    if (state !== "pressed" || !far) return;
    state = "drawing";
    requestAnimationFrame(step);
  }

  function step(): void {
    if (signal.aborted || state !== "drawing" || !scroller) return;
    scroller.scrollTop += edgeSpeed(pointer.y, frame.top, frame.bottom);
    const corner = inContent(pointer);
    const box = {
      start: Math.min(origin.x, corner.x),
      end: Math.max(origin.x, corner.x),
      top: Math.min(origin.y, corner.y),
      bottom: Math.max(origin.y, corner.y),
    };
    shown.value = box;
    select(box);
    requestAnimationFrame(step);
  }

  function select(box: Box): void {
    const seen = list.look();
    const rows = list.rows.current;
    if (!seen || !rows) return;
    const { left, top, width } = rows.getBoundingClientRect();
    const corner = inContent({ x: left, y: top });
    const { columnGap, direction } = getComputedStyle(rows);
    const [from, to] = [box.start - corner.x, box.end - corner.x];
    const mirrored = direction === "rtl";
    const inRows = {
      start: mirrored ? width - to : from,
      end: mirrored ? width - from : to,
      top: box.top - corner.y,
      bottom: box.bottom - corner.y,
    };
    const gap = seen.grid.columns > 1 ? Number.parseFloat(columnGap) || 0 : 0;
    const spans = spansIn(seen.grid, { line: width, gap }, inRows);
    const now = JSON.stringify(spans);
    if (now === last) return;
    last = now;
    selection.selectSpans(spans, options.adds ? before : undefined);
    const nearest = pointer.y < start.y ? spans[0]?.from : spans.at(-1)?.to;
    if (nearest !== undefined) cursor.put(pointer.y < start.y ? nearest : nearest - 1);
  }

  function release(): void {
    holding.abort();
    shown.value = null;
    if (state === "pressed") return;
    // Swallow the click that follows.
    const swallow = (event: Event) => event.stopPropagation();
    addEventListener("click", swallow, { capture: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  }

  /** From window coordinates to those of the scroller, clamped. */
  function inContent({ x, y }: Point): Point {
    const { left, top } = frame;
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight } = scroller as HTMLElement;
    return {
      x: Math.min(Math.max(0, x - left + scrollLeft), scrollWidth),
      y: Math.min(Math.max(0, y - top + scrollTop), scrollHeight),
    };
  }
}
