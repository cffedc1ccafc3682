import type { Access } from "../core/access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { ListingWorker } from "./workers/workers.ts";
import type { EntryObservers } from "./entry_observers.ts";

/**
 * Removes a file, a link (never its target), or a folder with its whole subtree. A folder with any
 * entry out of the viewer's reach is kept whole.
 *
 * @param signal aborts the removal of a folder between entries; removed ones stay removed
 * @param observers of records kept by path, which are removed too
 * @throws {DomainError} `forbidden` (also for the scope's root), `not_found`
 */
export async function removeEntry(
  access: Access,
  listingWorker: ListingWorker,
  path: EntryPath,
  signal?: AbortSignal,
  observers?: Pick<EntryObservers, "removing"> & Partial<Pick<EntryObservers, "inodes">>,
): Promise<void> {
  const removal = access.remove(path);
  await using reservation = await access.allowance?.removing(`Cannot remove "${path}"`);
  const remove = () =>
    removal.isFolder ? listingWorker.remove({ access, path }, { signal }) : removal.removeSingle();
  await (observers ? observers.removing(removal, remove) : remove());
  await observers?.inodes?.removed(removal.belowRoot, removal.info);
  const { isFile, size } = removal.info;
  await reservation?.freed(removal.isFolder ? null : { bytes: isFile ? size : 0, files: 1 });
}
