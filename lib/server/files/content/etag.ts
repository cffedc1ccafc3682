import type { Facts } from "../../core/disk/facts.ts";

/**
 * A strong validator (RFC 9110, 8.8.3) of a file's current state, with its quotes: inode, size and
 * change time. Our own writes always make a new inode.
 */
export function etagOf({ ino, size, mtime }: Pick<Facts, "ino" | "size" | "mtime">): string {
  const parts = [ino ?? 0, size, mtime?.getTime() ?? 0];
  return `"${parts.map((part) => part.toString(36)).join("-")}"`;
}

/**
 * Whether `If-Match` permits a change (RFC 9110, 13.1.1): "*" requires the file to exist, a list
 * requires one of its tags. Weak tags never match.
 *
 * @param etag the current file's, null without one
 */
export function ifMatchHolds(header: string, etag: string | null): boolean {
  if (etag === null) return false;
  if (header.trim() === "*") return true;
  return [...header.matchAll(/(?:^|,)\s*("[^"]*")\s*(?=,|$)/g)].some(([, tag]) => tag === etag);
}
