import { FIRST_ITEMS, type ListPage } from "../../../../shared/list_page.ts";
import type { Result } from "../../../../shared/result.ts";
import { pathWith } from "../../api/api_path.ts";
import type { Calls, JsonName, Query } from "../../api/calls.ts";
import type { DeclaredCalls } from "../../api/declared_calls.d.ts";
import { useApi } from "../../core/use_site.ts";
import { type PagesOptions, type ShownList, usePages } from "./use_pages.ts";

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
 * Shows the list of a call page by page, see {@linkcode usePages}.
 *
 * @param to the call that lists
 * @param options.query further parameters of the call
 */
export function useList<Item>(
  first: ListPage<Item>,
  to: ListName<Item>,
  { query, ...options }: PagesOptions & { query?: ListQuery } = {},
): ShownList<Item> {
  const { calls } = useApi();
  return usePages(
    first,
    (asked, signal) => readPage<Item>(calls, to, { ...query, ...asked }, signal),
    options,
  );
}
