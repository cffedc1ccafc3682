import type { Access } from "../core/access/access.ts";
import { isSpentCompanion } from "../core/access/companions.ts";
import type { SourceHandle } from "../core/access/source_handle.ts";
import type { OpenFolder } from "../core/disk/disk.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { ListingWorker } from "./workers/workers.ts";
import type { EntryObservers } from "./entry_observers.ts";

/** Records that are kept by path or inode. */
type Observers = Pick<EntryObservers, "removing"> & Partial<Pick<EntryObservers, "inodes">>;

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
  observers?: Observers,
): Promise<void> {
  const removal = access.remove(path);
  await removeTaken(
    access,
    removal,
    observers,
    () =>
      removal.isFolder
        ? listingWorker.remove({ access, path }, { signal })
        : removal.removeSingle(),
  );
}

/**
 * Removes a file of macOS that holds nothing of worth, as its entry is gone.
 *
 * @param before as of {@linkcode isSpentCompanion}
 * @throws {DomainError} as {@linkcode removeEntry}; `not_found` also when it is another file now, or
 * its entry is there
 */
export async function removeSpentCompanion(
  access: Access,
  path: EntryPath,
  before: number,
  observers: Observers,
): Promise<void> {
  const removal = access.remove(path);
  const isSpent = (parent: OpenFolder) => isSpentCompanion(parent, removal.name, before);
  await removeTaken(access, removal, observers, () => removal.removeSingle(isSpent));
}

async function removeTaken(
  access: Access,
  removal: SourceHandle,
  observers: Observers | undefined,
  remove: () => Promise<void>,
): Promise<void> {
  await using reservation = await access.allowance?.removing(`Cannot remove "${removal.path}"`);
  await (observers ? observers.removing(removal, remove) : remove());
  await observers?.inodes?.removed(removal.belowRoot, removal.info);
  const { isFile, size } = removal.info;
  await reservation?.freed(removal.isFolder ? null : { bytes: isFile ? size : 0, files: 1 });
}
