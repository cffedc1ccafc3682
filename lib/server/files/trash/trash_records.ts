import { createHash } from "node:crypto";
import { DomainError } from "../../../shared/errors.ts";
import { maxPageText } from "../../../shared/list_page.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Growth } from "../../core/access/allowance.ts";
import { Collection } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";

/** An entry in the trash. */
export interface TrashedEntry {
  /** Ascends with time. */
  id: string;
  userId: number;
  /** Where it was, below the server root. */
  path: EntryPath;
  isDir: boolean;
  /** In bytes; 0 for a folder that was not measured yet. */
  size: number;
  /** The size of the folder is known. */
  isMeasured?: boolean;
  /** The entries of the folder and itself, once they are counted. */
  entries?: number;
  /** A former version of the file: it was not deleted, but replaced. */
  isVersion?: boolean;
  /** When it was deleted, in milliseconds since 1970. */
  at: number;
  /** The disk on which it lies, as `trashTopOf()` tells it. */
  top: EntryPath;
  /** Its inode, to tell another entry from it; device numbers change with a restart. */
  ino: number | null;
  /** By whom it was deleted, where that was a recipient of a share. */
  by?: TrashedBy;
}

/** A recipient of a share who has deleted an entry of its owner. */
export interface TrashedBy {
  userId: number;
  /** The hash of the share. */
  share: string;
}

/** How much the trash of one user holds, former versions included. */
export interface TrashContent {
  userId: number;
  entries: number;
  bytes: number;
  /** The sizes of some folders are missing. */
  isPartial: boolean;
}

/** An entry in a user's trash, at most 20 KiB: two paths and some numbers. Ids ascend with time. */
export const trashRecords = new Collection<TrashedEntry, [userId: number, id: string]>("trash");

/** The top of a disk that has a trash: its path, at most 9 KiB. The key has a digest of it. */
const trashTops = new Collection<EntryPath, [digest: string]>("trash_tops");

/** Most records that one commit changes. */
const batch = 100;

/** The records of what is in the trash, and of the disks that have one. */
export class TrashRecords {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds a record, before its entry comes. */
  async put(entry: TrashedEntry): Promise<void> {
    await this.#store.atomic((operation) =>
      trashTops.put(
        trashRecords.put(operation, [entry.userId, entry.id], entry),
        [createHash("sha256").update(entry.top).digest("base64url")],
        entry.top,
      )
    );
  }

  /** @throws {DomainError} `not_found` */
  async get(userId: number, id: string): Promise<TrashedEntry> {
    const entry = isTrashId(id) && await trashRecords.get(this.#store, userId, id);
    if (entry) return entry;
    throw notInTrashError(id);
  }

  /** Keeps the measured size of a folder, if it is still in the trash. */
  async setSize(
    { userId, id }: TrashedEntry,
    { bytes: size, files }: Growth,
  ): Promise<void> {
    await trashRecords.update(
      this.#store,
      [userId, id],
      (now) => now ? { ...now, size, entries: files, isMeasured: true } : undefined,
    );
  }

  /** A part of what is in the trash of a user, the latest first; `isFull` when there may be more. */
  async page(
    userId: number,
    { before, limit, isWanted }: {
      /** The id that ended the part before. */
      before?: string;
      /** How many at most. */
      limit: number;
      isWanted: (entry: TrashedEntry) => boolean;
    },
  ): Promise<{ entries: TrashedEntry[]; isFull: boolean }> {
    const prefix = trashRecords.prefix(userId);
    const selector = before === undefined
      ? { prefix }
      : { prefix, end: trashRecords.key(userId, before) };
    return await this.#store.read(async (kv) => {
      const entries: TrashedEntry[] = [];
      let length = 0;
      for await (const { value } of kv.list<TrashedEntry>(selector, { reverse: true })) {
        if (!isWanted(value)) continue;
        entries.push(value);
        length += value.path.length;
        if (entries.length === limit || length >= maxPageText) return { entries, isFull: true };
      }
      return { entries, isFull: false };
    });
  }

  /** The entries in the trash of a user, the latest first; without one, in all. */
  async list(userId?: number): Promise<TrashedEntry[]> {
    return (await trashRecords.list(this.#store, userId)).reverse();
  }

  /** The entries in the trash of a user, or in all, the oldest of each user first, part by part. */
  async *parts(userId?: number): AsyncGenerator<TrashedEntry[], void> {
    yield* trashRecords.page(this.#store, {}, userId);
  }

  /** How much the trash of each user holds: not read again until the store is written. */
  async contents(): Promise<readonly TrashContent[]> {
    return await this.#store.cachedRead(trashRecords.prefix(), async () => {
      const users = new Map<number, TrashContent>();
      for await (const part of this.parts()) {
        for (const entry of part) {
          const { userId, size } = entry;
          const content = users.get(userId) ?? { userId, entries: 0, bytes: 0, isPartial: false };
          content.entries++;
          content.bytes += size;
          content.isPartial ||= isUnmeasured(entry);
          users.set(userId, content);
        }
      }
      return [...users.values()];
    });
  }

  /** The disks that have had a trash. */
  async tops(): Promise<EntryPath[]> {
    return await trashTops.list(this.#store);
  }

  async forget(entries: readonly TrashedEntry[]): Promise<void> {
    for (let start = 0; start < entries.length; start += batch) {
      const some = entries.slice(start, start + batch);
      await this.#store.atomic((operation) =>
        some.reduce((all, { userId, id }) => all.delete(trashRecords.key(userId, id)), operation)
      );
    }
  }
}

/** A new id: time first, so that ids ascend; then what cannot be guessed. */
export function makeTrashId(at: number): string {
  const random = crypto.getRandomValues(new Uint8Array(8)).toHex();
  return `${at.toString(36).padStart(9, "0")}-${random}`;
}

/** Whether a name is one of {@linkcode makeTrashId}. */
export function isTrashId(name: string): boolean {
  return /^[0-9a-z]{9,}-[0-9a-f]{16}$/.test(name);
}

export function notInTrashError(id: string): DomainError {
  return new DomainError("not_found", `Cannot find "${id}": it is not in the trash`);
}

/** Whether the size of a folder is not known yet. */
export function isUnmeasured({ isDir, isMeasured = false }: TrashedEntry): boolean {
  return isDir && !isMeasured;
}

/** How much entries hold; null where one is a folder that was not measured. */
export function contentOf(entries: readonly TrashedEntry[]): Growth | null {
  const total: Growth = { bytes: 0, files: 0 };
  for (const { isDir, size, entries: held } of entries) {
    if (isDir && held === undefined) return null;
    total.bytes += size;
    total.files += held ?? 1;
  }
  return total;
}
