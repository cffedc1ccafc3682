import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FIRST_ITEMS, type ListPage } from "../../../../shared/list_page.ts";
import type { Result } from "../../../../shared/result.ts";
import { pathWith } from "../../api/api_path.ts";
import type { Calls, JsonName, Query } from "../../api/calls.ts";
import type { DeclaredCalls } from "../../api/declared_calls.d.ts";
import { reasonOf } from "../../api/reasons.ts";
import { useApi } from "../../core/use_site.ts";

/** The rest before what is typed is searched for, in milliseconds. */
const TYPING_MS = 250;

/** The position of the next page in a `Link` header (RFC 8288). */
const nextLink = /<\?([^>]*)>; rel="next"/;

/** What a list takes and answers. */
interface ListCall<Item> {
  query?: { after?: string };
  answer: Item[];
}

/** The calls that list such items, or more of each than these have. */
type ListName<Item> = {
  [Name in JsonName]: DeclaredCalls[Name] extends ListCall<infer Whole>
    ? Item extends Partial<Whole> ? Name : never
    : never;
}[JsonName];

/** The query of a list. */
type ListQuery = NonNullable<
  DeclaredCalls["GET /api/users" | "GET /api/groups" | "GET /api/shares"]["query"]
>;

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

/** Reads one page of a list. */
export async function readPage<Item>(
  calls: Calls,
  to: ListName<Item>,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<Result<ListPage<Item>>> {
  const asked: Query = { limit: FIRST_ITEMS, ...query };
  const answer = await calls.request(pathWith(to), { query: asked, signal });
  if (!answer.ok) return answer;
  try {
    const items = await answer.value.json() as Item[];
    const [, link] = nextLink.exec(answer.value.headers.get("link") ?? "") ?? [];
    const next = link === undefined ? null : new URLSearchParams(link).get("after");
    const count = answer.value.headers.get("x-total-count");
    const total = count === null ? undefined : Number(count);
    return { ok: true, value: { items, next, query: query.query ?? "", total } };
  } catch {
    const aborted = signal?.aborted === true;
    return {
      ok: false,
      status: 0,
      code: aborted ? "aborted" : "offline",
      message: "The answer broke off",
    };
  }
}

/**
 * Shows a list page by page. Its first page came with the document; a search begins it again.
 *
 * @param first as the server has rendered it
 * @param to the call that lists
 * @param options.name what the names in the address of the document begin with
 * @param options.query further parameters of the call
 */
export function useList<Item>(
  first: ListPage<Item>,
  to: ListName<Item>,
  options: { name?: string; query?: ListQuery } = {},
): ShownList<Item> {
  const { t } = useTranslation();
  const { calls } = useApi();
  const { name = "" } = options;
  const [shown, setShown] = useState<Pick<ListPage<Item>, "items" | "next" | "query">>(first);
  const [query, setQuery] = useState(first.query);
  const [busy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState("");
  const [total, setTotal] = useState(first.total);
  const [wasLong] = useState(
    first.next !== null || first.query !== "" || first.isLater === true ||
      first.items.length > FIRST_ITEMS,
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
      const asked = { ...options.query, query: query || undefined, after: after ?? undefined };
      const answer = await readPage<Item>(calls, to, asked, signal);
      if (signal.aborted) return;
      setComplaint(answer.ok ? "" : reasonOf(t, answer));
      if (!answer.ok) break;
      added.push(...answer.value.items);
      after = answer.value.next;
      const items = [...former, ...added];
      setShown({ items, next: after, query });
      if (answer.value.total !== undefined) setTotal(answer.value.total);
      keepPlace({ name, query, count: items.length, isFromStart: start === null });
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

/** The search and the rows of a list. */
interface ListPlace {
  /** What the names in the address begin with. */
  name?: string;
  query: string;
  /** The number of rows. */
  count: number;
  /** The rows begin with the first of the list. */
  isFromStart: boolean;
  /** The number of rows that the page has at first. */
  first?: number;
}

/** Notes the search and the number of rows in the address, so that a way back leads to them. */
export function keepPlace(
  { name = "", query, count, isFromStart, first = FIRST_ITEMS }: ListPlace,
): void {
  const address = new URL(location.href);
  const { searchParams } = address;
  if (isFromStart) searchParams.delete(`${name}after`);
  if (query === "") searchParams.delete(`${name}query`);
  else searchParams.set(`${name}query`, query);
  if (count <= first) searchParams.delete(`${name}limit`);
  else searchParams.set(`${name}limit`, String(count));
  history.replaceState(history.state, "", address);
}
