import type { Entry } from "../api_types.ts";
import type { ActionsOptions } from "./actions.ts";

/** Shows what is known of the selected entries; of the folder or file on screen when none is. */
export async function showInfo({ listing, prompts }: ActionsOptions): Promise<void> {
  const resource = listing.resource.peek();
  if (resource === null) return;
  const { size } = listing.selection.now.peek();
  const folder = listing.path.peek();
  if (!resource.isDir || size === 0) {
    await prompts.open("info", { folder, entries: [resource], count: 1 });
    return;
  }
  const selected = listing.selection.now.peek();
  const entries: Entry[] = [];
  for (const [index, entry] of listing.rows.peek().entries()) {
    if (selected.has(index)) entries.push(entry);
  }
  await prompts.open("info", { folder, entries, count: size });
}
