import { virtualTop } from "../../core/access/names.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import type { Child } from "../../core/access/folder_visibility.ts";
import type { GateSpec, Viewer } from "../../core/access/viewer.ts";
import { readNames } from "./listing.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import type { NameTable } from "./name_table.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import { type Facts, isSameEntry, isSettled } from "../../core/disk/facts.ts";
import { CostPerOwner, FairQueue } from "../../core/concurrency/fair_queue.ts";
import { LruCache } from "../../../shared/lru_cache.ts";

/** Cached names, and the folder's state before they were read. */
interface Kept {
  names: NameTable;
  info: Facts;
}

/**
 * Caches the sorted names of folders, so that the second window of a large folder costs only its
 * own entries. Never stale: valid only for the same, unchanged folder whose last change was well
 * before the names were read; symlinks are resolved again each time.
 */
export class NameCache {
  readonly #kept: LruCache<string, Kept>;
  /** One reader of a folder at a time: two of a huge one would take twice the memory. */
  readonly #readers = new FairQueue({ capacity: new CostPerOwner(1) });

  /** @param maxBytes memory for all names */
  constructor(maxBytes: number) {
    this.#kept = new LruCache(maxBytes, ({ names }) => names.bytes);
  }

  /**
   * The names of a folder.
   *
   * @param open the folder
   * @throws {DomainError} `forbidden`, `not_found`; the reason of the pauses' signal
   */
  async names(folder: FolderHandle, open: OpenFolder, pauses: Pauses): Promise<NameTable> {
    // Its roots come and go without it.
    if (folder.real === virtualTop) return await readNames(folder, open, pauses);
    const key = `${folder.real}\0${folder.path}\0${viewerKey(folder.locator)}`;
    return this.#find(key, folder) ??
      await this.#readers.run(
        key,
        1,
        async () => this.#find(key, folder) ?? await this.#read(key, folder, open, pauses),
      );
  }

  #find(key: string, folder: FolderHandle): NameTable | null {
    const kept = this.#kept.get(key);
    if (kept && isUnchanged(kept, folder)) return kept.names;
    this.#kept.delete(key);
    return null;
  }

  async #read(
    key: string,
    folder: FolderHandle,
    open: OpenFolder,
    pauses: Pauses,
  ): Promise<NameTable> {
    const readAt = Date.now();
    const names = await readNames(folder, open, pauses);
    if (isSettled(folder.info, readAt)) this.#kept.set(key, { names, info: folder.info });
    return names;
  }
}

/** A cache key, equal for viewers who see the same names; permissions do not matter to names. */
export function viewerKey({ spec, viewer }: { spec: GateSpec; viewer: Viewer }): string {
  const { scope, roots, base, rules, hideDotfiles, hidesCompanions = false } = viewer;
  const names = [scope, roots, base, rules, hideDotfiles, hidesCompanions];
  return JSON.stringify([spec.root, spec.reserved, ...names]);
}

function isUnchanged({ info, names }: Kept, folder: FolderHandle): boolean {
  const now = folder.info;
  const sameTimes = Number(now.mtime) === Number(info.mtime) &&
    Number(now.ctime) === Number(info.ctime);
  if (!sameTimes || !isSameEntry(now, info)) return false;
  return names.links.every((link) => isSameLink(folder, link));
}

function isSameLink(folder: FolderHandle, link: Child): boolean {
  const now = folder.follow(link);
  const before = link.target;
  if (!now?.target || !before || now.isFolder !== link.isFolder) return false;
  // A listing shows the target's size and times: read them again when they changed.
  if (now.target.kind !== "inside" || before.kind !== "inside") {
    return now.target.kind === before.kind;
  }
  return now.target.real === before.real && isSameEntry(now.target.info, before.info) &&
    now.target.info.size === before.info.size &&
    Number(now.target.info.mtime) === Number(before.info.mtime);
}
