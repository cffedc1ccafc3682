import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { watchView } from "./watch_view.ts";
import { heightOf, scrollToReveal, type Slice, sliceFor } from "./virtual.ts";

/** How near the end, in pixels, more is asked for. */
const NEAR_END = 100;

/** How many rows are drawn before their height is known. */
const FIRST_ROWS = 20;

/** The part of the results that is drawn. */
export interface HitWindow {
  /** Goes on the element that scrolls. */
  scroller: RefObject<HTMLDivElement>;
  first: number;
  /** Exclusive. */
  last: number;
  /** Where the first drawn row starts and how high all are, in pixels; null until measured. */
  box: { top: number; height: number } | null;
}

/**
 * Draws only the rows of a growing list that are in view, keeps the row that the keyboard is at in
 * view, and asks for more near the end.
 *
 * @param of.total how many rows there are
 * @param of.at the row to keep in view
 * @param of.subject what the rows are of: another one is looked at from its first row
 */
export function useHitWindow(
  of: { total: number; at: number; subject: unknown; onNearEnd: () => void },
): HitWindow {
  const { total, at, subject } = of;
  const scroller = useRef<HTMLDivElement>(null);
  const [slice, setSlice] = useState<Slice | null>(null);
  const latest = useRef(of);
  latest.current = of;
  const wanted = useRef(-1);

  const look = () => {
    const box = scroller.current;
    const rowHeight = box?.querySelector<HTMLElement>("[role=row]")?.offsetHeight ?? 0;
    if (!box || rowHeight === 0) return null;
    const grid = { total: latest.current.total, columns: 1, rowHeight };
    return { box, grid, view: { scrollTop: box.scrollTop, height: box.clientHeight } };
  };

  const update = () => {
    const seen = look();
    if (!seen) return setSlice(null);
    const { grid, view } = seen;
    const now = sliceFor(grid, view);
    setSlice((before) =>
      before?.first === now.first && before.last === now.last && before.height === now.height
        ? before
        : now
    );
    if (now.height - view.scrollTop - view.height <= NEAR_END) latest.current.onNearEnd();
  };

  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [subject]);
  useLayoutEffect(update, [total, subject]);
  useLayoutEffect(() => {
    wanted.current = at;
  }, [at, subject]);
  useLayoutEffect(() => {
    const seen = wanted.current < 0 ? null : look();
    // Further down than the list reaches so far can only be scrolled to once it is drawn anew.
    if (!seen || slice?.height !== heightOf(seen.grid)) return;
    seen.box.scrollTop = scrollToReveal(seen.grid, seen.view, wanted.current);
    wanted.current = -1;
    update();
  });
  useEffect(() => scroller.current ? watchView(scroller.current, update) : undefined, []);

  const last = Math.min(total, slice?.last ?? FIRST_ROWS);
  return {
    scroller,
    first: Math.min(slice?.first ?? 0, last),
    last,
    box: slice && { top: slice.top, height: slice.height },
  };
}
