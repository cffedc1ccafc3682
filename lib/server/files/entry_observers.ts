import { unlessRefused } from "../../shared/unless_refused.ts";
import { DomainError } from "../../shared/errors.ts";
import { numberedName } from "../../shared/numbered_name.ts";
import { childOf, type EntryPath, nameOf, parentOf } from "../../shared/path.ts";
import type { Gate } from "../core/access/gate.ts";
import { isInTrash } from "../core/access/names.ts";
import { SERVER } from "../core/access/viewer.ts";
import type { Facts } from "../core/disk/facts.ts";
import { bestEffort } from "../core/kv/best_effort.ts";
import { Collection } from "../core/kv/collection.ts";
import type { Store } from "../core/kv/store.ts";
import type { MovedInode } from "./transfer/moved_inodes.ts";

/** Most numbered names that an entry is looked for under. */
const maxNumbers = 100;

/**
 * Records that follow entries. Paths are below the server root, whatever the acting user's scope;
 * each stands for its whole subtree.
 */
interface Follower {
  /** Whether any record is about a path. */
  concerns(path: EntryPath): Promise<boolean>;
  /** An entry has moved to another path, or was removed. */
  follow(from: EntryPath, to: EntryPath | null): Promise<void>;
  /** They are kept while the entry is in the trash. */
  isKept: boolean;
}

/** An entry that is about to be moved or removed. */
export interface ChangedEntry {
  belowRoot: EntryPath;
  info: Pick<Facts, "ino">;
}

/** A change that was begun: after a crash it tells what the records have to follow. */
export interface PendingChange {
  from: EntryPath;
  /** Where the entry was to go, also in the trash; null for a removal. */
  to: EntryPath | null;
  /** Its inode, to tell another entry from it; device numbers change with a restart. */
  ino: number | null;
  /** Its new name may be another, with a number. */
  isNumbered?: boolean;
  /** The copy that takes its place on another disk. */
  copy?: EntryCopy;
}

/** Entries that have moved to another disk. */
export interface DiskMove {
  /** Where the topmost entry was, below the server root. */
  from: EntryPath;
  /** The folder that holds it now. */
  to: EntryPath;
  inodes: readonly MovedInode[];
}

/** What is kept by the inodes of entries. It does not fail. */
export interface InodeFollower {
  moved(move: DiskMove): Promise<void>;
  /** An entry is gone for good. @param info its last facts */
  removed(place: EntryPath, info: Facts): Promise<void>;
}

/** A deletion or move under way that records by path have to follow, at most 20 KiB: two paths. */
export const pendingChanges = new Collection<PendingChange>("pending_changes");

/** A copy of an entry: where it goes, below the server root, and its inode. */
export interface EntryCopy {
  to: EntryPath;
  ino: number | null;
}

/** A change that is done: where the entry was, and where it is now; null when it is gone. */
type Late = Pick<PendingChange, "from" | "to">;

/**
 * Runs changes of entries together with those of the records that are kept by their paths. Where
 * there are such records, the change is noted in the store first, so that the next start can finish
 * what a crash, or a full disk under the store, has cut short.
 */
export class EntryObservers {
  readonly #store: Store;
  readonly #gate: Gate;
  readonly #followers: Follower[] = [];
  /** Changes whose records could not follow, as the store could not be written. */
  readonly #late = new Map<string, Late>();
  /** What is kept by the inodes of entries, if anything is. */
  inodes: InodeFollower | null = null;

  constructor(store: Store, gate: Gate) {
    this.#store = store;
    this.#gate = gate;
  }

  /**
   * Has the records of a collection follow their entries.
   *
   * @param end does what else is to be done once records have ended
   * @param isKept whether they are kept while their entries are in the trash
   */
  add<T, Id extends readonly Deno.KvKeyPart[]>(
    collection: Pick<Collection<T, Id>, "hasBelow" | "follow">,
    end: (ended: Deno.KvEntry<T>[]) => Promise<void> = () => Promise.resolve(),
    isKept = false,
  ): void {
    const store = this.#store;
    this.#followers.push({
      concerns: (path) => collection.hasBelow(store, path),
      follow: async (from, to) => await end(await collection.follow(store, from, to)),
      isKept,
    });
  }

  /** Whether there are records that are kept while an entry is in the trash. */
  async isKept(path: EntryPath): Promise<boolean> {
    for (const each of this.#followers) if (each.isKept && await each.concerns(path)) return true;
    return false;
  }

  /**
   * Removes an entry.
   *
   * @param remove has removed it when it resolves
   * @param to its place in the trash, if records are kept there
   */
  async removing(
    entry: ChangedEntry,
    remove: () => Promise<void>,
    to: EntryPath | null = null,
  ): Promise<void> {
    await this.#change(entry, { to }, async () => {
      await remove();
      return to;
    });
  }

  /**
   * Moves an entry.
   *
   * @param to where it is to go, below the server root
   * @param move answers with the path that it has then: its name may be another; it is handed what
   * notes a copy that is about to take the entry's place
   * @param isNumbered whether its name may be another
   */
  async moving(
    entry: ChangedEntry,
    to: EntryPath,
    move: (note: (copy: EntryCopy) => Promise<void>) => Promise<EntryPath>,
    isNumbered = false,
  ): Promise<EntryPath> {
    let path = to;
    await this.#change(entry, { to, isNumbered }, async (note) => {
      path = await move(note);
      return childOf(parentOf(to), nameOf(path));
    });
    return path;
  }

  /** Has the records follow what they could not when it happened. */
  async finishLate(): Promise<void> {
    for (const [id, late] of [...this.#late]) {
      this.#late.delete(id);
      await this.#followUp(id, late);
    }
  }

  /**
   * Finishes at a start what was cut short.
   *
   * @param isFirst whether no other thread is about to change anything
   */
  async finishPending(isFirst = true): Promise<void> {
    const pending = await pendingChanges.entries(this.#store);
    for (const { key, value } of pending) await this.#finish(key, value, isFirst);
  }

  /** @param change answers with the entry's new place; null when it is gone */
  async #change(
    { belowRoot, info: { ino } }: ChangedEntry,
    target: Pick<PendingChange, "to" | "isNumbered">,
    change: (note: (copy: EntryCopy) => Promise<void>) => Promise<EntryPath | null>,
  ): Promise<void> {
    const concerned = await Promise.all(this.#followers.map((each) => each.concerns(belowRoot)));
    if (!concerned.includes(true)) return void await change(() => Promise.resolve());
    await this.finishLate();
    const id = crypto.randomUUID();
    const key = pendingChanges.key(id);
    let pending: PendingChange = { from: belowRoot, ino, ...target };
    const put = () => pendingChanges.set(this.#store, [id], pending);
    await put();
    let place: EntryPath | null;
    try {
      place = await change((copy) => {
        pending = { ...pending, copy };
        return put();
      });
    } catch (error) {
      // It may have happened nevertheless.
      await this.#finish(key, pending);
      throw error;
    }
    await this.#followUp(id, { from: belowRoot, to: place });
  }

  /** Has the records follow a change that is done; later, where the store cannot be written now. */
  async #followUp(id: string, late: Late): Promise<void> {
    const isDone = await bestEffort(async () => {
      await this.#follow(late.from, late.to);
      await pendingChanges.remove(this.#store, id);
    });
    if (!isDone) this.#late.set(id, late);
  }

  async #finish(key: Deno.KvKey, pending: PendingChange, isOver = true): Promise<void> {
    const { from, ino } = pending;
    try {
      const isGone = isInTrash(from) || this.#look(from)?.ino !== ino;
      const place = isGone ? this.#placeOf(pending) : from;
      // What is nowhere else is in the trash still, or its record there goes next.
      if (isGone && (place !== null || !isInTrash(from))) await this.#follow(from, place);
      else if (!isOver) return;
      await this.#store.atomic((operation) => operation.delete(key));
    } catch (error) {
      // Its disk, or that of the store, does not answer now: a later start may tell.
      if (!(error instanceof DomainError)) throw error;
    }
  }

  /** Where an entry is that is not in its former place; null when it is gone. */
  #placeOf({ to, ino, isNumbered, copy }: PendingChange): EntryPath | null {
    if (copy && this.#look(copy.to)?.ino === copy.ino) return copy.to;
    if (to !== null && isInTrash(to)) return to;
    if (to === null || !isNumbered) return to && this.#look(to) ? to : null;
    for (let number = 0; number <= maxNumbers; number++) {
      const names = number === 0
        ? [nameOf(to)]
        : [false, true].map((isDir) => numberedName(nameOf(to), number, isDir));
      const place = names.map((name) => childOf(parentOf(to), name)).find((path) =>
        this.#look(path)?.ino === ino
      );
      if (place) return place;
    }
    return null;
  }

  async #follow(from: EntryPath, to: EntryPath | null): Promise<void> {
    const isTrashed = to !== null && isInTrash(to);
    for (const each of this.#followers) {
      await each.follow(from, isTrashed && !each.isKept ? null : to);
    }
  }

  #look(path: EntryPath): Facts | null {
    return unlessRefused(() => this.#gate.enter(SERVER).copy(path).info, "not_found");
  }
}
