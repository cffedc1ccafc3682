import type { Access } from "../access/access.ts";
import type { Child } from "../access/folder_visibility.ts";
import { type FoundEntry, type LookedEntry, SearchFolder } from "../access/search_folder.ts";
import type { SearchResult } from "../../shared/api_types.ts";
import type { EntryPath } from "../../shared/path.ts";
import { DiskError } from "../disk/disk_error.ts";
import { mounts } from "../disk/mounts.ts";
import { DomainError } from "../../shared/errors.ts";
import { isoText, modifiedOf } from "../files/listing/entries.ts";
import { nameTestOf } from "./name_test.ts";
import type { Query, SearchOptions } from "./query.ts";
import { isInRange } from "./ranges.ts";
import { FolderQueue } from "./folder_queue.ts";
import type { WorkerCall } from "../concurrency/worker_call.ts";
import { Results } from "./results.ts";
import { Pauses } from "../concurrency/pauses.ts";

/**
 * Searches entries below a folder by name and sends results as they are found. Folders that are
 * removed during the search or unreadable for the server, and unavailable mounts, count as empty.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function searchFolder(
  access: Access,
  path: EntryPath,
  { query, format, details }: SearchOptions,
  call: WorkerCall,
): Promise<void> {
  const { matches, typeMatches } = nameTestOf(query);
  const pauses = new Pauses(call.signal, "low");
  const results = new Results(call, format);
  const queue = new FolderQueue<SearchFolder>();

  await pauses.pause();
  let branch: SearchFolder | undefined = SearchFolder.of(access.folder(path));
  let picked: FoundEntry = branch.pick(matches);
  call.open(null);
  while (branch) {
    queue.add(picked.branches);
    const hits = picked.hits.filter(typeMatches);
    const isLooked = details || query.size !== null || query.modified !== null;
    for (const result of isLooked ? looked(branch, hits, query, details) : named(branch, hits)) {
      results.add(result);
      if (!results.isFull) continue;
      await results.send();
      if (pauses.isDue) await pauses.pause();
    }
    if (pauses.isDue) await pauses.pause();
    if (results.isDue) await results.flush();
    branch = queue.next();
    if (branch) picked = pick(branch, matches);
  }
  await results.end();
}

/** The results of one folder, of which only the names are needed. */
function* named(branch: SearchFolder, hits: readonly Child[]): Generator<SearchResult> {
  const prefix = prefixOf(branch);
  for (const { name, isFolder } of hits) yield { path: prefix + name, dir: isFolder };
}

/** The results of one folder whose size and modification time the query or the reader wants. */
function* looked(
  branch: SearchFolder,
  hits: readonly Child[],
  query: Query,
  details: boolean,
): Generator<SearchResult> {
  const prefix = prefixOf(branch);
  for (const { child: { name, target }, info } of look(branch, hits)) {
    const time = modifiedOf(info).getTime();
    // The size of a link is the length of its text.
    const isBroken = target !== null && target.kind !== "inside";
    const size = isBroken ? 0 : info.size;
    if (!isInRange(query.modified, time)) continue;
    if (query.size && (info.isDirectory || !isInRange(query.size, size))) continue;
    const result = { path: prefix + name, dir: info.isDirectory };
    yield details ? { ...result, size, modified: isoText(time) } : result;
  }
}

/** As `branch.look`; nothing for a folder that is gone, unreadable or an unavailable mount. */
export function* look(branch: SearchFolder, hits: readonly Child[]): Generator<LookedEntry> {
  if (hits.length === 0) return;
  try {
    yield* branch.look(hits);
  } catch (error) {
    if (!isLeftOut(branch, error)) throw error;
  }
}

function prefixOf({ below }: SearchFolder): string {
  return below === "/" ? "" : `${below.slice(1)}/`;
}

/** As `branch.pick`; nothing for a folder that is gone, unreadable or an unavailable mount. */
export function pick(branch: SearchFolder, matches: (name: string) => boolean): FoundEntry {
  try {
    return branch.pick(matches);
  } catch (error) {
    if (isLeftOut(branch, error)) return { hits: [], branches: [] };
    throw error;
  }
}

/** Whether an error of reading a folder means that a walk leaves the folder out. */
function isLeftOut(branch: SearchFolder, error: unknown): boolean {
  // A folder that was removed after it was opened has no entries to read (ENOENT).
  const isGone = error instanceof DiskError && error.code === "ENOENT";
  return isGone || error instanceof DomainError || mounts.isPoint(branch.real);
}
