import type { EntryPath } from "../../shared/path.ts";
import type { Listing } from "../listing/listing.ts";

/** Shows the folder anew, and selects entries of it, when it is still the one on screen. */
export async function showNames(
  listing: Listing,
  folder: EntryPath,
  names: readonly string[],
): Promise<void> {
  if (listing.path.peek() !== folder) return;
  await listing.reload();
  if (listing.path.peek() !== folder || names.length === 0) return;
  listing.selection.name(names);
  const [first = ""] = names;
  listing.cursor.put(listing.rows.peek().indexOf(first));
}
