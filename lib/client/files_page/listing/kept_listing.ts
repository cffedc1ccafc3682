import type { Listing } from "./listing.ts";
import { type Span, stampOf } from "../../base/files/rows.ts";

/** The state in which a folder was left: cursor and selection. Plain JSON. */
export interface KeptListing {
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
