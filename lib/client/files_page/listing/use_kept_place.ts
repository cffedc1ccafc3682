import { useLayoutEffect, useRef } from "react";
import type { Sorting } from "../../../shared/api_types.ts";
import type { Rows } from "../../base/files/rows.ts";
import { entryAt, topOf } from "../../base/files/virtual.ts";
import type { RowWindow } from "./use_window.ts";

/** The topmost visible entry at the last measurement. */
interface Topmost {
  folder: string;
  order: string;
  name: string;
  index: number;
  top: number;
}

/**
 * Scroll anchoring: keeps the topmost visible entry in place when entries above it are added or
 * removed. A list that is scrolled to its top stays there.
 */
export function useKeptPlace(
  list: RowWindow,
  rows: Rows,
  folder: string,
  { by, asc }: Sorting,
  groupBy: string,
): void {
  const topmost = useRef<Topmost | null>(null);
  const order = `${by} ${asc} ${groupBy}`;
  useLayoutEffect(() => {
    const scroller = list.scroller.current;
    const seen = list.look();
    const kept = topmost.current;
    if (!scroller || !seen || kept?.folder !== folder || kept.order !== order) return;
    const moved = rows.indexOf(kept.name) - kept.index;
    if (moved <= -kept.index || moved === 0) return;
    scroller.scrollTop += seen.grid.groups
      ? topOf(seen.grid, rows.indexOf(kept.name)) - kept.top
      : Math.round(moved / seen.grid.columns) * seen.grid.rowHeight;
  }, [rows]);
  useLayoutEffect(() => {
    const seen = list.look();
    topmost.current = null;
    if (!seen || seen.view.scrollTop < seen.grid.rowHeight) return;
    const index = entryAt(seen.grid, seen.view.scrollTop + seen.grid.rowHeight - 1);
    const name = rows.at(index)?.name;
    if (name === undefined) return;
    topmost.current = { folder, order, name, index, top: topOf(seen.grid, index) };
  });
}
