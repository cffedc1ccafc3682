import { effect } from "@preact/signals";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import type { Api } from "../../base/api/api.ts";
import type { Listing } from "../listing/listing.ts";

/** How long a file is on screen before it counts as opened, in milliseconds: not while flicking. */
const DWELL_MS = 1000;

/**
 * Tells the server which files the user opens, for the list of recent ones.
 *
 * @returns a function that stops it
 */
export function noteOpened(
  { calls }: Pick<Api, "calls">,
  { resource }: Pick<Listing, "resource">,
): () => void {
  let noted: EntryPath | null = null;
  return effect(() => {
    const file = resource.value;
    const at = file && !file.isDir ? parsePath(file.path).path : null;
    if (at === noted) return;
    noted = null;
    if (at === null) return;
    const timer = setTimeout(() => {
      noted = at;
      void calls.done("PUT /api/recent/{path}", { params: { path: at } });
    }, DWELL_MS);
    return () => clearTimeout(timer);
  });
}
