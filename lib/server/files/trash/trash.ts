import { DomainError } from "../../../shared/errors.ts";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import type { SourceHandle } from "../../core/access/source_handle.ts";
import { placeCompanion } from "../../core/access/companions.ts";
import { openTrash, trashTopOf } from "../../core/access/trash_place.ts";
import type { OpenContent } from "../content/open_content.ts";
import type { FormerFiles, Replacement } from "../upload/commit_upload.ts";
import type { GateSpec } from "../../core/access/viewer.ts";
import { DiskError } from "../../core/disk/disk.ts";
import { isSameEntry } from "../../core/disk/facts.ts";
import type { ChangedEntry, EntryObservers } from "../entry_observers.ts";
import { renameToFree } from "../upload/free_name.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { bestEffort } from "../../core/kv/best_effort.ts";
import type { Store } from "../../core/kv/store.ts";
import type { ListingWorker } from "../workers/workers.ts";
import { keepFormer } from "./keep_former.ts";
import { isInPlace, lookInTrash, markForRemoval, unbornIn } from "./trash_entries.ts";
import { openTrashed, restoreTrashed } from "./restore_trashed.ts";
import { TrashMeter } from "./trash_meter.ts";
import {
  contentOf,
  makeTrashId,
  notInTrashError,
  placeInTrash,
  type TrashedBy,
  type TrashedEntry,
  TrashRecords,
} from "./trash_records.ts";

/** A record of this age, in milliseconds, has its entry: the record comes first. */
export const settledMs = 60_000;

/** The outcome of a deletion for good. */
export interface Removal {
  removed: TrashedEntry[];
  /** Why the others were left; null when none were. */
  refusal: DomainError | null;
}

/** The dependencies of the trash. */
export interface TrashOptions {
  store: Store;
  spec: GateSpec;
  listingWorker: ListingWorker;
  observers: EntryObservers;
  /** Whether the settings want previous versions to be kept. */
  keepsVersions: () => Promise<boolean>;
  /** The access of a user, whose quota gets the room of what expires; null when the user is gone. */
  accessOf: (userId: number) => Promise<Access | null>;
  /** Notes that a file has taken the place of another. */
  onReplaced?: ((replacement: Replacement) => Promise<void>) | undefined;
}

/**
 * The trash of all users. A deletion is a rename into a hidden folder at the top of the same disk
 * and a record in the store, which is written first; a restored entry goes back where it was, or
 * beside what is there by now.
 */
export class Trash {
  readonly #options: TrashOptions;
  /** The entries in it. */
  readonly records: TrashRecords;
  /** Tells how much that is. */
  readonly meter: TrashMeter;

  constructor(options: TrashOptions) {
    this.#options = options;
    this.records = new TrashRecords(options.store);
    this.meter = new TrashMeter({ ...options, records: this.records });
  }

  /**
   * Moves an entry to the trash of a user. Needs delete. A folder with any entry out of the
   * viewer's reach is kept whole.
   *
   * @param ino the inode that it must have, if that matters
   * @param by the recipient of a share who deletes it
   * @throws {DomainError} `forbidden`, `not_found`, `precondition_failed`; `no_trash` where its disk
   * has none
   */
  async discard(
    access: Access,
    userId: number,
    path: EntryPath,
    signal?: AbortSignal,
    ino?: number | null,
    by?: TrashedBy,
  ): Promise<TrashedEntry> {
    const { listingWorker, observers } = this.#options;
    const source = access.remove(path);
    if (ino !== undefined && source.info.ino !== ino) {
      const text = `Cannot delete "${path}": another entry has its name`;
      throw new DomainError("precondition_failed", text);
    }
    if (!source.isReachedWhole) await listingWorker.checkBelow({ access, path }, { signal });
    const { info } = source;
    const at = Date.now();
    const entry: TrashedEntry = {
      id: makeTrashId(at),
      userId,
      path: source.belowRoot,
      isDir: source.isFolder,
      size: source.isFolder ? 0 : info.size,
      at,
      top: trashTopOf(source, access.spec),
      ino: info.ino,
      ...by && { by },
      ...await observers.isKept(source.belowRoot) && { isFollowed: true },
    };
    const place = entry.isFollowed ? placeInTrash(entry) : null;
    await this.records.put(entry);
    let isTaken = false;
    try {
      const take = () => this.#take(source, entry, () => isTaken = true);
      await observers.removing(source, take, place);
    } catch (error) {
      if (!isTaken) await this.#forget([entry]);
      throw asRefusal(error, `Cannot delete "${path}"`);
    }
    return entry;
  }

  /** Keeps the files that a user replaces as previous versions, unless the settings say otherwise. */
  formerFilesOf(userId: number): FormerFiles {
    const { spec, keepsVersions, onReplaced } = this.#options;
    return {
      isOn: keepsVersions,
      ...onReplaced && { replaced: onReplaced },
      keep: async (folder, path, former) =>
        await keepsVersions()
          ? await keepFormer(this.records, spec, { userId, folder, path, former })
          : null,
    };
  }

  /**
   * Puts an entry back where it was, see {@linkcode restoreTrashed}.
   *
   * @param replaces puts a file in place of the one that is there, which is kept as a version
   * @param by the recipient of a share who puts it back, and must be the one who has deleted it
   * @throws {DomainError} `not_found`, `forbidden`
   */
  async restore(
    access: Access,
    userId: number,
    id: string,
    replaces = false,
    by?: TrashedBy,
  ): Promise<EntryPath> {
    const entry = await this.records.get(userId, id);
    if (by && !(entry.by?.userId === by.userId && entry.by.share === by.share)) {
      throw notInTrashError(id);
    }
    try {
      const formerFiles = replaces ? this.formerFilesOf(userId) : null;
      const restored = await this.#putBack(access, entry, formerFiles);
      await this.#forget([entry]);
      return restored;
    } catch (error) {
      // Another program may have removed it: then nothing leads back.
      if (isSettled(entry) && lookInTrash(this.#options.spec, entry) === "gone") {
        removeIfEmpty(() => this.#removeFolder(entry));
        await this.#forget([entry]);
      }
      throw error;
    }
  }

  /** Puts an entry back, and its shares with it. */
  async #putBack(
    access: Access,
    entry: TrashedEntry,
    formerFiles: FormerFiles | null,
  ): Promise<EntryPath> {
    const putBack = () => restoreTrashed(access, entry, formerFiles);
    if (!entry.isFollowed) return await putBack();
    let path = entry.path;
    await this.#options.observers.moving(
      placedInTrash(entry),
      entry.path,
      async () => path = await putBack(),
      true,
    );
    return path;
  }

  /**
   * Opens a file in a user's trash, which the caller closes. Needs download.
   *
   * @throws {DomainError} as {@linkcode openTrashed}
   */
  async open(access: Access, userId: number, id: string): Promise<OpenContent> {
    return openTrashed(access, await this.records.get(userId, id));
  }

  /**
   * Deletes an entry of a user's trash for good.
   *
   * @param access of that user
   * @throws {DomainError} `not_found`
   */
  async remove(userId: number, id: string, access?: Access): Promise<void> {
    await this.removeAll([await this.records.get(userId, id)], access);
  }

  /**
   * Deletes entries for good.
   *
   * @param access of the user in whose trash they are, if it is known
   * @throws {DomainError} why some were left, after all others are deleted
   */
  async removeAll(entries: readonly TrashedEntry[], access?: Access): Promise<void> {
    const { refusal } = await this.removeWherePossible(entries, access);
    if (refusal) throw refusal;
  }

  /**
   * The same, and tells which entries were deleted; those of disks that are away or read-only are
   * left with their records. What a crash leaves is swept by the next start.
   */
  async removeWherePossible(entries: readonly TrashedEntry[], access?: Access): Promise<Removal> {
    const removal: Removal = { removed: [], refusal: null };
    for (const [userId, theirs] of Map.groupBy(entries, ({ userId }) => userId)) {
      const by = access ?? await this.#options.accessOf(userId);
      const { removed, refusal } = await this.#removeOf(theirs, by);
      removal.removed.push(...removed);
      removal.refusal ??= refusal;
    }
    return removal;
  }

  /** Deletes entries of one user for good, whose quota gets their room. */
  async #removeOf(entries: readonly TrashedEntry[], access: Access | null): Promise<Removal> {
    await using reservation = await access?.allowance?.removing("Cannot empty the trash");
    const removal: Removal = { removed: [], refusal: null };
    for (const [top, there] of Map.groupBy(entries, ({ top }) => top)) {
      try {
        await this.#removeFrom(top, there);
        removal.removed.push(...there);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        removal.refusal ??= error;
      }
    }
    await reservation?.freed(contentOf(removal.removed));
    return removal;
  }

  /**
   * Removes what earlier deletions have left, the records of what is gone, and versions of files
   * that were not replaced after all. Called at a start, and goes on while others delete and replace.
   *
   * @param before leaves alone what has come since, in milliseconds since 1970
   */
  async sweep(before = Date.now()): Promise<void> {
    for (const top of await this.records.tops()) {
      try {
        await this.#sweep(top);
      } catch (error) {
        // A disk that is broken or gone must not keep the server from starting.
        if (!(error instanceof DomainError)) throw error;
      }
    }
    const { spec } = this.#options;
    const pauses = new Pauses(undefined, "low");
    for await (const part of this.records.parts()) {
      const gone: TrashedEntry[] = [];
      const unused: TrashedEntry[] = [];
      for (const entry of part.filter(({ at }) => at <= before)) {
        if (pauses.isDue) await pauses.pause();
        if (lookInTrash(spec, entry) === "gone") gone.push(entry);
        else if (entry.isVersion && isInPlace(spec, entry)) unused.push(entry);
      }
      for (const entry of gone) removeIfEmpty(() => this.#removeFolder(entry));
      await this.#forget(gone);
      await this.removeWherePossible(unused);
    }
  }

  /** Deletes entries of one disk for good. */
  async #removeFrom(top: EntryPath, entries: readonly TrashedEntry[]): Promise<void> {
    const { spec, observers: { inodes } } = this.#options;
    const unborn = inodes ? unbornIn(spec, top, entries) : [];
    const missing = new Set(await markForRemoval(spec, top, entries));
    // One that is not there may be on its way: its record was written first.
    const gone = entries.filter((entry) => !missing.has(entry) || isSettled(entry));
    const isForgotten = await this.#forget(gone);
    await this.#sweep(top, entries.map(({ id }) => id));
    await Promise.all(unborn.map(({ name, info }) => inodes?.removed(childOf(top, name), info)));
    // That may have made room.
    if (!isForgotten) await this.#forget(gone);
  }

  #removeFolder({ top, id }: TrashedEntry): void {
    using trash = openTrash(this.#options.spec, top, false);
    trash.removeFolder(id);
  }

  /** Renames an entry into its folder in the trash. @param onTaken called when it is there */
  async #take(source: SourceHandle, entry: TrashedEntry, onTaken: () => void): Promise<void> {
    const { name, info, path } = source;
    using trash = openTrash(this.#options.spec, entry.top, true);
    trash.makeFolder(entry.id, 0o700);
    try {
      using folder = trash.folder(entry.id);
      using parent = source.openParent();
      const now = parent.look(name);
      if (!now || !isSameEntry(now, info)) {
        throw new DomainError("not_found", `Cannot delete "${path}": it was replaced`);
      }
      const companion = source.companionIn(parent);
      renameToFree(parent, name, folder, name);
      if (companion) {
        placeCompanion({ folder: parent, name: companion }, { folder, name: companion });
      }
      onTaken();
      await Promise.all([folder.sync(), trash.sync(), parent.sync()]);
    } catch (error) {
      removeIfEmpty(() => trash.removeFolder(entry.id));
      if (error instanceof DiskError && error.code === "EXDEV") {
        throw new DomainError("no_trash", `Cannot delete "${path}": it lies on a disk of its own`);
      }
      throw error;
    }
  }

  /**
   * Removes records of what is gone, after those that were kept for it. Where the store cannot be
   * written, the next start does so.
   */
  #forget(entries: readonly TrashedEntry[]): Promise<boolean> {
    return bestEffort(async () => {
      for (const entry of entries.filter(({ isFollowed }) => isFollowed)) {
        await this.#options.observers.removing(placedInTrash(entry), async () => {});
      }
      await this.records.forget(entries);
    });
  }

  /** Removes what was marked for removal on a disk. @param ids of these alone */
  async #sweep(top: EntryPath, ids?: readonly string[]): Promise<void> {
    const { listingWorker, spec } = this.#options;
    await listingWorker.removeMarked({ spec, path: top, ids });
  }
}

/** An entry as the records that are kept for it know it. */
function placedInTrash(entry: TrashedEntry): ChangedEntry {
  return { belowRoot: placeInTrash(entry), info: entry };
}

function isSettled({ at }: TrashedEntry): boolean {
  return Date.now() - at >= settledMs;
}

function removeIfEmpty(remove: () => void): void {
  try {
    remove();
  } catch {
    // The entry is in it after all, or the folder is gone.
  }
}
