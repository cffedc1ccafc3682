import { childOf, type EntryPath, nameOf, parentOf } from "../access/path.ts";
import type { Listing } from "./listing.ts";
import { type Result, success } from "./result.ts";
import { targetSize } from "./target_size.ts";

/** What an action works on: entries of one folder. */
export interface Target {
  folder: EntryPath;
  names: string[];
}

/** The name of the one entry an action would work on, when it is one and known. */
export function onlyName(listing: Listing): string | undefined {
  if (targetSize(listing) !== 1) return undefined;
  if (listing.resource.peek()?.isDir === false) return nameOf(listing.path.peek());
  return listing.selection.parts().names[0];
}

/** What an action works on; names that are not loaded are read now. */
export async function readTarget(listing: Listing): Promise<Result<Target>> {
  const at = listing.path.peek();
  if (listing.resource.peek()?.isDir === false) {
    return success({ folder: parentOf(at), names: [nameOf(at)] });
  }
  const names = await listing.selectedNames();
  return names.ok ? success({ folder: at, names: names.value }) : names;
}

/** The paths of what an action works on. */
export function pathsOf({ folder, names }: Target): EntryPath[] {
  return names.map((name) => childOf(folder, name));
}

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
