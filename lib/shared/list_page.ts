/** A page of a list, with the way to the next one. */
export interface ListPage<Item> {
  items: Item[];
  /** The position behind which the next page begins; null for the last one. */
  next: string | null;
  /** What was searched for; "" for nothing. */
  query: string;
  /** How many items the whole list has, where that is known. */
  total?: number;
  /** The page is not the first. */
  isLater?: true;
}

/** Whether a list has no items at all. */
export function isEmptyList({ items, next, query, isLater }: ListPage<unknown>): boolean {
  return items.length === 0 && next === null && query === "" && !isLater;
}

/**
 * Text in the items of one page, in characters, after which it ends: a path may have tens of
 * thousands, and a page 1,000 of them.
 */
export const maxPageText = 512 * 1024;

/** Items of the first page of a list, as the server renders it. */
export const FIRST_ITEMS = 50;

/** Entries of a page of the trash. */
export const FIRST_TRASHED = 100;
