import type { Access } from "../access/access.ts";
import { type FoundEntry, SearchFolder } from "../access/search_folder.ts";
import type { EntryPath } from "../../shared/path.ts";
import { DiskError } from "../disk/disk_error.ts";
import { mounts } from "../disk/mounts.ts";
import { DomainError } from "../../shared/errors.ts";
import { nameTestOf } from "./name_test.ts";
import type { SearchOptions } from "./query.ts";
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
  { query, format }: SearchOptions,
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
    const prefix = branch.below === "/" ? "" : `${branch.below.slice(1)}/`;
    for (const hit of picked.hits) {
      if (!typeMatches(hit)) continue;
      results.add({ path: prefix + hit.name, dir: hit.isFolder });
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
export function isLeftOut(branch: SearchFolder, error: unknown): boolean {
  // A folder that was removed after it was opened has no entries to read (ENOENT).
  const isGone = error instanceof DiskError && error.code === "ENOENT";
  return isGone || error instanceof DomainError || mounts.isPoint(branch.real);
}
