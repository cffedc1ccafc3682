import { createHash } from "node:crypto";
import { DomainError } from "../../../shared/errors.ts";
import { maxPageText } from "../../../shared/list_page.ts";
import { childOf, type EntryPath, nameOf } from "../../../shared/path.ts";
import type { Growth } from "../../core/access/allowance.ts";
import { trashName } from "../../core/access/names.ts";
import { Collection, idsIn, Index } from "../../core/kv/collection.ts";
import { folderDigest } from "../../core/kv/path_digests.ts";
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
  /** A previous version of the file: it was not deleted, but replaced. */
  isVersion?: boolean;
  /** When it was deleted, in milliseconds since 1970. */
  at: number;
  /** The disk on which it lies, as `trashTopOf()` tells it. */
  top: EntryPath;
  /** Its inode, to tell another entry from it; device numbers change with a restart. */
  ino: number | null;
  /** By whom it was deleted, where that was a recipient of a share. */
  by?: TrashedBy;
  /** It has shares, which it gets back. */
  isFollowed?: boolean;
}

/** Where an entry lies in the trash, below the server root: shares of it lead there meanwhile. */
export function placeInTrash({ top, id, path }: TrashedEntry): EntryPath {
  return childOf(childOf(childOf(top, trashName), id), nameOf(path));
}

/** A recipient of a share who has deleted an entry of its owner. */
export interface TrashedBy {
  userId: number;
  /** The hash of the share. */
  share: string;
}

/** How much the trash of one user holds, previous versions included. */
export interface TrashContent {
  userId: number;
  entries: number;
  bytes: number;
  /** The sizes of some folders are missing. */
  isPartial: boolean;
}

/**
 * What is in the trash of a user by file: the deleted entries, and apart from them the previous
 * versions of each file by a digest of its path. Empty values.
 */
const trashFiles = new Index<TrashedEntry, [userId: number, id: string]>(
  "trash_files",
  ({ path, isVersion = false }, userId, id) => [
    [userId, isVersion ? folderDigest(path) : "deleted", id],
  ],
);

/** An entry in a user's trash, at most 20 KiB: two paths and some numbers. Ids ascend with time. */
export const trashRecords = new Collection<TrashedEntry, [userId: number, id: string]>("trash", {
  indexes: [trashFiles],
});

/** The top of a disk that has a trash: its path, at most 9 KiB. The key has a digest of it. */
const trashTops = new Collection<EntryPath, [digest: string]>("trash_tops");

/** Most records that one commit changes, or one page reads at a time. */
const batch = 100;

/** Most records that one answer searches, in some tens of milliseconds. */
export const maxSearched = 10_000;

/** Most records that Deno KV reads at a time (`batchSize`). */
const maxBatch = 500;

/** What is read of a user's trash. */
export interface TrashPart {
  /** The deleted entries, the previous versions of a file, or all of both. */
  of: "deleted" | "all" | EntryPath;
  /** The id that ended the part before. */
  before?: string;
  /** How many at most. */
  limit: number;
  /** Whether an entry is searched for; all are unless given. */
  isFound?: (entry: TrashedEntry) => boolean;
}

/** Entries in the trash, the latest first. */
export interface TrashedPart {
  entries: TrashedEntry[];
  /** The id after which the next part begins; null after the last one. */
  next: string | null;
}

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

  /** A part of what is in the trash of a user, the latest first. */
  async page(userId: number, { before, limit, of, isFound }: TrashPart): Promise<TrashedPart> {
    if (of === "all" || isFound && of === "deleted") {
      const isWanted = ({ isVersion = false }: TrashedEntry) => of === "all" || !isVersion;
      return await this.#search(
        endingBefore(trashRecords.prefix(userId), before),
        limit,
        (entry) => isWanted(entry) && (isFound?.(entry) ?? true),
      );
    }
    const file = of === "deleted" ? of : folderDigest(of);
    const selector = endingBefore(trashFiles.prefix(userId, file), before);
    const options = { reverse: true, limit, batchSize: Math.min(limit, maxBatch) };
    const keys = await this.#store.read((kv) => Array.fromAsync(kv.list(selector, options)));
    const ids = idsIn(keys);
    const part: TrashedPart = {
      entries: [],
      next: ids.length === limit ? ids.at(-1) ?? null : null,
    };
    let length = 0;
    for (let start = 0; start < ids.length; start += batch) {
      const some = ids.slice(start, start + batch);
      const records = await trashRecords.getAll(
        this.#store,
        some.map((id) => trashRecords.key(userId, id)),
      );
      for (const { value } of records) {
        if (!value || !(isFound?.(value) ?? true)) continue;
        part.entries.push(value);
        length += value.path.length;
      }
      if (length >= maxPageText) return { ...part, next: some.at(-1) ?? null };
    }
    return part;
  }

  /** Looks for entries among all that are in the trash of a user, up to {@linkcode maxSearched}. */
  async #search(
    selector: Deno.KvListSelector,
    limit: number,
    isWanted: (entry: TrashedEntry) => boolean,
  ): Promise<TrashedPart> {
    const options = { reverse: true, limit: maxSearched, batchSize: Math.min(limit, maxBatch) };
    return await this.#store.read(async (kv) => {
      const entries: TrashedEntry[] = [];
      let [length, searched] = [0, 0];
      for await (const { value } of kv.list<TrashedEntry>(selector, options)) {
        searched++;
        if (isWanted(value)) {
          entries.push(value);
          length += value.path.length;
        }
        const isFull = entries.length === limit || length >= maxPageText;
        if (isFull || searched === maxSearched) return { entries, next: value.id };
      }
      return { entries, next: null };
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
        some.reduce((all, entry) => {
          const id = [entry.userId, entry.id] as const;
          for (const key of trashRecords.indexKeys(entry, ...id)) all.delete(key);
          return all.delete(trashRecords.key(...id));
        }, operation)
      );
    }
  }
}

function endingBefore(prefix: Deno.KvKey, id: string | undefined): Deno.KvListSelector {
  return id === undefined ? { prefix } : { prefix, end: [...prefix, id] };
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
