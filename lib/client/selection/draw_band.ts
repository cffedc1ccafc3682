import type { Signal } from "@preact/signals";
import { type Box, edgeSpeed, type Point, spansIn } from "./band.ts";
import type { Listing } from "../listing/listing.ts";
import type { RowWindow } from "../listing/use_window.ts";

/** What a band is drawn over, and what it selects. */
export interface BandOptions {
  listing: Pick<Listing, "selection" | "cursor">;
  list: Pick<RowWindow, "scroller" | "rows" | "look">;
  /** Where it shows itself, in pixels from the top left of what scrolls; null when it ends. */
  shown: Signal<Box | null>;
  /** Where the button went down, in the window, and where the pointer is by now. */
  start: Point;
  pointer: Point;
  /** Adds to what is selected. */
  adds: boolean;
}

/** So far the pointer has to go for it to be a band and not a click. */
const THRESHOLD_PX = 4;

/**
 * Follows the pointer from a press of the button to its release, and selects the entries that the
 * rectangle between the two touches. At the edges of the view it scrolls; Esc brings back what was
 * selected before.
 */
export function drawBand(options: BandOptions): void {
  const { listing: { selection, cursor }, list, shown, start } = options;
  const scroller = list.scroller.current;
  if (!scroller) return;
  const frame = scroller.getBoundingClientRect();
  const origin = inContent(start);
  const before = selection.kept();
  const holding = new AbortController();
  const { signal } = holding;
  let { pointer } = options;
  let state: "pressed" | "drawing" | "given up" = "pressed";
  let last = "";

  const listen = <K extends keyof WindowEventMap>(
    type: K,
    heed: (event: WindowEventMap[K]) => void,
  ) => addEventListener(type, heed, { signal, capture: true });
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
    selection.spans([], before);
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
    selection.spans(spans, options.adds ? before : undefined);
    const nearest = pointer.y < start.y ? spans[0]?.from : spans.at(-1)?.to;
    if (nearest !== undefined) cursor.put(pointer.y < start.y ? nearest : nearest - 1);
  }

  function release(): void {
    holding.abort();
    shown.value = null;
    if (state === "pressed") return;
    // The click that follows belongs to the band.
    const swallow = (event: Event) => event.stopPropagation();
    addEventListener("click", swallow, { capture: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  }

  /** From the window to what scrolls, and not beyond it. */
  function inContent({ x, y }: Point): Point {
    const { left, top } = frame;
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight } = scroller as HTMLElement;
    return {
      x: Math.min(Math.max(0, x - left + scrollLeft), scrollWidth),
      y: Math.min(Math.max(0, y - top + scrollTop), scrollHeight),
    };
  }
}
