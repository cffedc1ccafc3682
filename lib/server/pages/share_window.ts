import { countOption } from "../http/request/query.ts";

/** Entries of a folder on the first page, and in each further step. */
const step = 100;

/** Most entries on one page, which is rendered at once for any visitor. */
const max = 500;

/** The entries of a shared folder that a page shows. */
export interface ShareWindow {
  /** Number of entries before it. */
  offset: number;
  limit: number;
}

/**
 * Reads the window of a share's page: `from` and `show` in the query. The size is limited: a page
 * of a hundred thousand rows would block all other requests (CWE-400).
 *
 * @throws DomainError `invalid_option`
 */
export function readShareWindow(query: URLSearchParams): ShareWindow {
  const limit = countOption(query, "show") ?? step;
  return { offset: countOption(query, "from") ?? 0, limit: Math.min(limit, max) };
}

/** Index on a page of the first entry that the page before it did not show. */
export function firstNewOf({ limit }: ShareWindow): number {
  return Math.max(0, limit - step);
}

/**
 * The query for more entries: on this page or, once it is full, on the next.
 *
 * @param total number of entries in the folder
 * @returns null when there are no more
 */
export function moreOf({ offset, limit }: ShareWindow, total: number): string | null {
  if (offset + limit >= total) return null;
  const isFull = limit >= max;
  const from = isFull ? offset + limit : offset;
  const query = new URLSearchParams(from > 0 ? { from: String(from) } : {});
  if (!isFull) query.set("show", String(Math.min(limit + step, max)));
  return `?${query}`;
}
