import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { ListingWorker } from "../workers/listing_worker.ts";
import { parseQuery, type Query, type SearchFormat } from "./query.ts";

/** What a search holds whose results are not taken, in bytes: the names of a folder of 20,000. */
export const heldBySearch = 6 * 1024 * 1024;

/**
 * Checks that a search can be made, without making it.
 *
 * @throws {DomainError} `invalid_option`, `forbidden`, `not_found` (also for what is no folder)
 */
export function checkSearch(access: Access, path: EntryPath, text: string): Query {
  const query = parseQuery(text);
  access.folder(path);
  return query;
}

/**
 * Looks for entries below a folder by their names. Results come as `{path, dir}`, in UTF-8, as they
 * are found and without a limit to their number; `path` counts from the folder, without a slash
 * before it. Nearer entries come first, as long as that takes little memory. What the viewer may not
 * know of is not found; linked folders are, but not what is in them.
 *
 * @param signal ends the search before the answer begins; cancelling the stream ends it then
 * @throws {DomainError} as {@link checkSearch}
 */
export async function search(
  access: Access,
  listingWorker: ListingWorker,
  path: EntryPath,
  text: string,
  format: SearchFormat,
  signal?: AbortSignal,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const query = checkSearch(access, path, text);
  return await listingWorker.search(access, path, { query, format }, signal);
}
