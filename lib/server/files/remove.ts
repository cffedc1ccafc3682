import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { ListingWorker } from "../workers/listing_worker.ts";
import type { EntryObserver } from "./entry_observers.ts";

/**
 * Removes a file, a link (never its target), or a folder with all that is below it. A folder that
 * holds anything the viewer may not reach is left whole.
 *
 * @param signal stops the removal of a folder between its subtrees; what is gone stays gone
 * @param followers what is kept by path, to go with it
 * @throws {DomainError} `forbidden` (also for the scope's root), `not_found`
 */
export async function removeEntry(
  access: Access,
  listingWorker: ListingWorker,
  path: EntryPath,
  signal?: AbortSignal,
  followers?: Pick<EntryObserver, "removed">,
): Promise<void> {
  const removal = access.remove(path);
  if (removal.isFolder) await listingWorker.remove(access, path, signal);
  else await removal.removeSingle();
  await followers?.removed(removal.belowRoot);
}
