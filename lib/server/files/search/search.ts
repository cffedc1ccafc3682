import type { Access } from "../../core/access/access.ts";
import type { Clock } from "../../../shared/clock.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { ListingWorker } from "../workers/workers.ts";
import { parseQuery, type Query, type SearchOptions } from "./query.ts";

/** Memory of a search whose results are not read, in bytes: the names of a folder of 20,000. */
export const heldBySearch = 6 * 1024 * 1024;

/**
 * Reads a query, and checks that the folder can be searched.
 *
 * @throws {DomainError} `invalid_option`, `forbidden`, `not_found` (also for a file)
 */
export function checkSearch(
  access: Access,
  path: EntryPath,
  text: string,
  { now, timeZone }: Clock,
): Query {
  const query = parseQuery(text, now, timeZone);
  access.folder(path);
  return query;
}

/**
 * Searches entries below a folder by their names, with a query of {@link checkSearch}. Results are
 * `{path, dir}` in UTF-8, with details `{path, dir, size, modified}`, streamed as they are found,
 * without a limit; `path` is relative to the folder, without a leading slash. Nearer entries come
 * first, within a memory limit. Entries hidden from the viewer are not found; linked folders are,
 * but not their entries.
 *
 * @param signal aborts before the answer begins; later, cancel the stream
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function search(
  access: Access,
  listingWorker: ListingWorker,
  path: EntryPath,
  options: SearchOptions,
  signal?: AbortSignal,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  return (await listingWorker.search({ access, path, options }, { signal })).stream.read();
}
