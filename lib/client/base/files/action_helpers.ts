import type { TFunction } from "i18next";
import { reasonOf } from "../api/reasons.ts";
import type { Target } from "./target.ts";
import type { Toasts } from "../ui/toasts.ts";
import { type EntryPath, joinPaths, parsePath } from "../../../shared/path.ts";
import type { Listing } from "../../files_page/listing/listing.ts";

/** The path of an entry of a target, by its name. */
export function pathIn(folder: EntryPath, name: string): EntryPath {
  return joinPaths(folder, parsePath(name).path);
}

/** Reads the names of a target; shows an error and returns null when that fails. */
export async function namesFor(
  { toasts, t }: { toasts: Toasts; t: TFunction },
  action: "compress" | "copy" | "move" | "delete" | "download",
  target: Target,
): Promise<string[] | null> {
  const names = await target.names();
  if (names.ok) return names.value;
  toasts.error(t(`failures.${action}`, { reason: reasonOf(t, names) }));
  return null;
}

/** Reloads a folder and selects entries of it, if it is still the open one. */
export async function showNames(
  listing: Listing,
  folder: EntryPath,
  names: readonly string[],
): Promise<void> {
  if (listing.isFlat) return await listing.reload();
  if (listing.path.peek() !== folder) return;
  await listing.reload();
  if (listing.path.peek() !== folder || names.length === 0) return;
  listing.selection.selectNames(names);
  const [first = ""] = names;
  listing.cursor.put(listing.rows.peek().indexOf(first));
}
