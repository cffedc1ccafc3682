import type { Sorting } from "../../../shared/schemas/view.ts";
import { allSteps, orderByName } from "./name_order.ts";

/** Entries of a folder, with folders apart: they come first in either direction. */
export interface Groups<T> {
  folders: T[];
  files: T[];
}

/** Sorts entries from A to Z: in natural order, case and accents folded. Returns a new array. */
export function sortByName<T extends { name: string; isFolder: boolean }>(
  entries: readonly T[],
): Groups<T> {
  return {
    folders: sorted(entries.filter((entry) => entry.isFolder)),
    files: sorted(entries.filter((entry) => !entry.isFolder)),
  };
}

/**
 * Sorts entries that are already sorted by name; ties stay from A to Z.
 *
 * @param numberOf size in bytes or modification time in milliseconds, for those orders
 * @returns a new array: folders, then files
 */
export function sortEntries<T>(
  { folders, files }: Groups<T>,
  sorting: Sorting,
  numberOf: (entry: T) => number,
): T[] {
  const sign = sorting.asc ? 1 : -1;
  const inOrder = (group: T[]) => {
    if (sorting.by !== "name") {
      return group.toSorted((a, b) => sign * (numberOf(a) - numberOf(b)));
    }
    return sorting.asc ? group : group.toReversed();
  };
  return inOrder(folders).concat(inOrder(files));
}

function sorted<T extends { name: string }>(group: readonly T[]): T[] {
  const nameOf = (position: number) => (group[position] as T).name;
  return Array.from(
    allSteps(orderByName(group.length, nameOf)),
    (position) => group[position] as T,
  );
}
