import type { ReactNode } from "react";
import type { SortBy } from "../../../shared/schemas/choices/choices.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { Sorting } from "../../../shared/schemas/view.ts";
import type { Act } from "../selection/Acts.tsx";

/** A row of a list of entries that lie in many folders. */
export interface PlaceItem {
  /** Tells it from all others of its list. */
  id: string;
  entry:
    & Pick<Entry, "name" | "path" | "type" | "isDir" | "isSymlink" | "extension">
    & Partial<Entry>;
  /** Its page; absent for what cannot be opened. */
  href?: string | undefined;
  /** The second line: where it lies, who shares it. */
  place: ReactNode;
  /** The folder that the second line leads to. */
  placeHref?: string | undefined;
  /** Its size in words, in a list with that column; and in bytes, to sort by it. */
  size?: string;
  bytes?: number;
  /** The time of the last column: in words, in full, and in RFC 3339; "" for none. */
  when: string;
  whenFull?: string;
  at: string;
  /** What the row is below, such as a day. */
  group?: string;
}

/** Something to be done with rows of a list. */
export interface PlaceAction<Item> extends Omit<Act, "run" | "title"> {
  /** For one row alone. */
  isSingle?: boolean;
  /** The Delete key does it, too. */
  hasDeleteKey?: boolean;
  /** Whether it can be done with a row; with all by default. */
  isFor?: (item: Item) => boolean;
  run: (items: Item[]) => void;
}

/** The way to further items of a list. */
export interface PlaceMore {
  /** For browsers without scripts. */
  href?: string | null;
  isBusy?: boolean;
  /** Why they could not be read; "" otherwise. */
  complaint?: string;
  read: () => void;
}

/** Sorts rows: by name with folders first, as in folders. */
export function sortRows<Item>(
  rows: { item: Item; row: PlaceItem }[],
  sorting: Sorting | null,
  language: string,
): { item: Item; row: PlaceItem }[] {
  if (!sorting) return rows;
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sign = sorting.asc ? 1 : -1;
  const order: Partial<Record<SortBy, (a: PlaceItem, b: PlaceItem) => number>> = {
    name: (a, b) => compare(a.entry.name, b.entry.name),
    size: (a, b) => (a.bytes ?? -1) - (b.bytes ?? -1),
    // What never ends comes after all that does.
    modified: (a, b) => compare(a.at || "~", b.at || "~"),
  };
  return rows.toSorted(({ row: a }, { row: b }) =>
    Number(b.entry.isDir) - Number(a.entry.isDir) || sign * (order[sorting.by]?.(a, b) ?? 0)
  ).map(({ item, row }) => ({ item, row: { ...row, group: undefined } }));
}

export function isSame(a: Sorting | null, b: Sorting | null): boolean {
  return a?.by === b?.by && a?.asc === b?.asc;
}

/** Neighbours of one group; none where rows have no groups. */
export function groupsOf(rows: readonly PlaceItem[]): { title: string; count: number }[] {
  const groups: { title: string; count: number }[] = [];
  for (const { group } of rows) {
    if (group === undefined) return [];
    const last = groups.at(-1);
    if (last?.title === group) last.count++;
    else groups.push({ title: group, count: 1 });
  }
  return groups;
}
