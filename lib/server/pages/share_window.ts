import { countOption } from "../http/request/query.ts";

/** How many entries of a folder are shown, and how many more at a time. */
const step = 100;

/** The most on one page: it is made in one go, for whoever has the link. */
const most = 500;

/** The entries of a shared folder that a page shows. */
export interface ShareWindow {
  /** How many come before it. */
  offset: number;
  limit: number;
}

/**
 * Reads which entries a page of a share is to show: `from` on, `show` of them. No address has the
 * server make a page of a hundred thousand rows, which would hold everybody else up (CWE-400).
 *
 * @throws DomainError `invalid_option`
 */
export function readShareWindow(query: URLSearchParams): ShareWindow {
  const limit = countOption(query, "show") ?? step;
  return { offset: countOption(query, "from") ?? 0, limit: Math.min(limit, most) };
}

/** Which of the entries on a page comes first of those that the page before it did not show. */
export function firstNewOf({ limit }: ShareWindow): number {
  return Math.max(0, limit - step);
}

/**
 * The query of the page that shows more: this one with more entries, or, once it is full, the next.
 *
 * @param total how many entries the folder has
 * @returns null when there are no more
 */
export function moreOf({ offset, limit }: ShareWindow, total: number): string | null {
  if (offset + limit >= total) return null;
  const isFull = limit >= most;
  const from = isFull ? offset + limit : offset;
  const query = new URLSearchParams(from > 0 ? { from: String(from) } : {});
  if (!isFull) query.set("show", String(Math.min(limit + step, most)));
  return `?${query}`;
}
