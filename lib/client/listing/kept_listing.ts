import { stampOf } from "./folder_stamp.ts";
import type { Listing } from "./listing.ts";
import type { Span } from "./rows.ts";

/** How a folder was left: where the keyboard was, and what was selected. Plain JSON. */
export interface KeptListing {
  /** The state of the folder that the rest speaks of. */
  state: string;
  at: number;
  names: string[];
  unloaded: readonly Span[];
  multiple: boolean;
}

/** A selection of more loaded entries is not kept. */
const MAX_NAMES = 1000;

/** How the folder on screen is left now. */
export function keepListing(listing: Listing): KeptListing {
  const { names, unloaded } = listing.selection.parts();
  const few = names.length <= MAX_NAMES;
  return {
    state: stateOf(listing),
    at: listing.cursor.index.peek(),
    names: few ? names : [],
    unloaded: few ? unloaded : [],
    multiple: few && listing.selection.multiple.peek(),
  };
}

/** Brings back what was kept of the folder on screen, unless it is another, or has changed since. */
export function restoreListing(listing: Listing, kept: unknown): void {
  if (!isKept(kept) || kept.state !== stateOf(listing)) return;
  const { at, names, unloaded, multiple } = kept;
  listing.selection.spans([], { names: new Set(names), unloaded });
  listing.selection.multiple.value = multiple;
  listing.selection.absorb();
  listing.cursor.put(at);
}

function isKept(kept: unknown): kept is KeptListing {
  return typeof kept === "object" && kept !== null && "state" in kept;
}

function stateOf(listing: Listing): string {
  const { by, asc } = listing.sorting.peek();
  return JSON.stringify([listing.path.peek(), stampOf(listing.resource.peek()), by, asc]);
}
