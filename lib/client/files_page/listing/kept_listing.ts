import type { Listing } from "./listing.ts";
import { type Rows, type Span, stampOf } from "../../base/files/rows.ts";
import { useLayoutEffect, useRef } from "react";
import type { Sorting } from "../../../shared/schemas/view.ts";
import { entryAt, topOf } from "../../base/files/row_window.ts";
import type { RowWindow } from "./use_window.ts";

/** The state in which a folder was left: cursor and selection. Plain JSON. */
interface KeptListing {
  /** The fingerprint of the folder that the rest belongs to. */
  state: string;
  at: number;
  names: string[];
  unloaded: readonly Span[];
  multiple: boolean;
}

/** A selection of more loaded entries is not kept. */
const MAX_NAMES = 1000;

/** A snapshot of the open folder's state. */
export function keepListing(listing: Listing): KeptListing {
  const { names, unloaded } = listing.selection.snapshot();
  const few = names.length <= MAX_NAMES;
  return {
    state: stateOf(listing),
    at: listing.cursor.index.peek(),
    names: few ? names : [],
    unloaded: few ? unloaded : [],
    multiple: few && listing.selection.multiple.peek(),
  };
}

/** Restores the saved state of the open folder, unless it is another, or has changed since. */
export function restoreListing(listing: Listing, kept: unknown): void {
  if (!isKept(kept) || kept.state !== stateOf(listing)) return;
  const { at, names, unloaded, multiple } = kept;
  listing.selection.selectSpans([], { names: new Set(names), unloaded });
  listing.selection.multiple.value = multiple;
  listing.selection.materialize();
  listing.cursor.put(at);
}

function isKept(kept: unknown): kept is KeptListing {
  return typeof kept === "object" && kept !== null && "state" in kept;
}

function stateOf(listing: Listing): string {
  const { by, asc } = listing.sorting.peek();
  return JSON.stringify([listing.path.peek(), stampOf(listing.resource.peek()), by, asc]);
}

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
    scroller.scrollTop += seen.grid.groups || seen.grid.lines
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
