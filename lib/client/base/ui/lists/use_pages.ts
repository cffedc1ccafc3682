import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FIRST_ITEMS, type ListPage } from "../../../../shared/list_page.ts";
import type { Result } from "../../../../shared/result.ts";
import { reasonOf } from "../../api/reasons.ts";

/** The rest before what is typed is searched for, in milliseconds. */
const TYPING_MS = 250;

/** The items of a list on the page, and the ways to others. */
export interface ShownList<Item> {
  items: readonly Item[];
  /** What is searched for; "" for nothing. */
  query: string;
  /** How many items the whole list has, where that is known. */
  total?: number;
  /** Items were left out: there is something to search in. */
  isLong: boolean;
  busy: boolean;
  /** Why the last page could not be read; "" otherwise. */
  complaint: string;
  /** The address of the page with the next items, for browsers without scripts. */
  next: string | null;
  search(text: string): void;
  /** Reads the next items; nothing while others are read. */
  more(): Promise<void>;
  /** Reads the list from its start again. */
  reload(): Promise<void>;
  /** Changes the items in place: one was removed, added or edited. */
  change(change: (items: readonly Item[]) => readonly Item[]): void;
}

/** Reads the page of a list behind a position, or its first one. */
type ReadPage<Item> = (
  asked: { query?: string; after?: string },
  signal: AbortSignal,
) => Promise<Result<Pick<ListPage<Item>, "items" | "next" | "total">>>;

/** How a list is shown. */
export interface PagesOptions {
  /** What the names in the address of the document begin with. */
  name?: string;
  /** The number of rows that the page has at first. */
  firstCount?: number;
  /** Called with an error message, which is the `complaint` of the list as well. */
  failed?: (text: string) => void;
}

/**
 * Shows a list page by page. Its first page came with the document; a search begins it again.
 *
 * @param first as the server has rendered it
 */
export function usePages<Item>(
  first: ListPage<Item>,
  read: ReadPage<Item>,
  { name = "", firstCount = FIRST_ITEMS, failed }: PagesOptions = {},
): ShownList<Item> {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Pick<ListPage<Item>, "items" | "next" | "query">>(first);
  const [query, setQuery] = useState(first.query);
  const [busy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState("");
  const [total, setTotal] = useState(first.total);
  const [wasLong] = useState(
    first.next !== null || first.query !== "" || first.isLater === true ||
      first.items.length > firstCount,
  );
  const wasTyped = useRef(false);
  const reading = useRef(new AbortController());

  /** Adds pages to some items until there is anything new; a late answer counts no more. */
  const load = async (former: readonly Item[], start: string | null) => {
    reading.current.abort();
    const { signal } = reading.current = new AbortController();
    setBusy(true);
    let after = start;
    const added: Item[] = [];
    do {
      const asked = { query: query || undefined, after: after ?? undefined };
      const answer = await read(asked, signal);
      if (signal.aborted) return;
      const text = answer.ok ? "" : reasonOf(t, answer);
      setComplaint(text);
      if (text !== "") failed?.(text);
      if (!answer.ok) break;
      added.push(...answer.value.items);
      after = answer.value.next;
      const items = [...former, ...added];
      setShown({ items, next: after, query });
      if (answer.value.total !== undefined) setTotal(answer.value.total);
      keepPlace(name, query, items.length > firstCount ? items.length : null, start === null);
    } while (added.length === 0 && after !== null);
    setBusy(false);
  };
  const isUsedUp = shown.items.length === 0 && shown.next !== null && !busy && complaint === "";
  useEffect(() => {
    if (isUsedUp && shown.query === query) void load([], shown.next);
  }, [isUsedUp]);
  useEffect(() => {
    if (!wasTyped.current) return;
    const timer = setTimeout(() => void load([], null), TYPING_MS);
    return () => {
      clearTimeout(timer);
      reading.current.abort();
    };
  }, [query]);

  const params = new URLSearchParams({
    ...query !== "" && { [`${name}query`]: query },
    ...shown.next !== null && { [`${name}after`]: shown.next },
  });
  return {
    items: shown.items,
    query,
    total,
    isLong: wasLong && (shown.items.length > 0 || shown.next !== null || shown.query !== ""),
    ...{ busy, complaint },
    next: shown.next === null ? null : `?${params}`,
    search(text) {
      wasTyped.current = true;
      setQuery(text);
    },
    // What is typed may not be searched for yet: then the position is one of another list.
    more: async () => {
      if (!busy && shown.query === query) await load(shown.items, shown.next);
    },
    reload: () => load([], null),
    change(change) {
      setShown(({ items, ...rest }) => ({ ...rest, items: [...change(items)] }));
      const by = change(shown.items).length - shown.items.length;
      setTotal((former) => former === undefined ? former : former + by);
    },
  };
}

/**
 * Notes the search and the number of rows in the address, so that a way back leads to them.
 *
 * @param limit null where the page has so many at first
 * @param isFromStart the rows begin with the first of the list
 */
function keepPlace(name: string, query: string, limit: number | null, isFromStart: boolean): void {
  const address = new URL(location.href);
  const { searchParams } = address;
  if (isFromStart) searchParams.delete(`${name}after`);
  if (query === "") searchParams.delete(`${name}query`);
  else searchParams.set(`${name}query`, query);
  if (limit === null) searchParams.delete(`${name}limit`);
  else searchParams.set(`${name}limit`, String(limit));
  history.replaceState(history.state, "", address);
}

/** A control of a row. */
const controls = "a[href], button:not(:disabled)";

/**
 * Gives the first new row of a list the focus: the button for more, which had it, may be gone.
 *
 * @param items change when there are new rows
 * @returns notes the last row within an element, before more are read
 */
export function useNewRowFocus(items: unknown): (within: Element | null | undefined) => void {
  const lastRow = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const row = lastRow.current?.nextElementSibling;
    if (!row) return;
    lastRow.current = null;
    row.querySelector<HTMLElement>(controls)?.focus();
  }, [items]);
  return (within) => {
    lastRow.current = [...within?.querySelectorAll("tbody > tr, li") ?? []].at(-1) ?? null;
  };
}
