import type { Listing } from "./listing.ts";

/** How much an action would work on: what is selected, or the file that is on screen by itself. */
export function targetSize(listing: Listing): number {
  if (listing.resource.peek()?.isDir === false) return 1;
  return listing.selection.now.peek().size;
}
