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
  groups: Groups<T>,
  sorting: Sorting,
  numberOf: (entry: T) => number,
): T[] {
  return allSteps(sortInSteps(groups, sorting, numberOf));
}

/** The same in steps of a few milliseconds each. */
export function* sortInSteps<T>(
  { folders, files }: Groups<T>,
  sorting: Sorting,
  numberOf: (entry: T) => number,
): Generator<void, T[]> {
  const sign = sorting.asc ? 1 : -1;
  const compare = (a: T, b: T) => sign * (numberOf(a) - numberOf(b));
  if (sorting.by !== "name") {
    return (yield* sortRuns(folders, compare)).concat(yield* sortRuns(files, compare));
  }
  return sorting.asc ? folders.concat(files) : folders.toReversed().concat(files.toReversed());
}

/** Entries sorted between two steps. */
const runSize = 8_192;

type Compare<T> = (a: T, b: T) => number;

/** A merge sort over runs that the engine sorts. */
function* sortRuns<T>(entries: readonly T[], compare: Compare<T>): Generator<void, T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < entries.length; at += runSize) {
    runs.push(entries.slice(at, at + runSize).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(
  first: readonly T[],
  second: readonly T[],
  compare: Compare<T>,
): Generator<void, T[]> {
  const merged: T[] = [];
  let [a, b] = [0, 0];
  while (a < first.length && b < second.length) {
    const [left, right] = [first[a] as T, second[b] as T];
    // Of two alike the first comes first: the sort is stable.
    const isFirst = compare(left, right) <= 0;
    if (merged.push(isFirst ? left : right) % runSize === 0) yield;
    if (isFirst) a++;
    else b++;
  }
  return merged.concat(first.slice(a), second.slice(b));
}

function sorted<T extends { name: string }>(group: readonly T[]): T[] {
  const nameOf = (position: number) => (group[position] as T).name;
  return Array.from(
    allSteps(orderByName(group.length, nameOf)),
    (position) => group[position] as T,
  );
}
