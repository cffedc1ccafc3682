import { type EntryPath, joinPaths, relativePath } from "../../../shared/path.ts";
import { dayMs } from "../../../shared/time.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { Collection, PlaceIndex } from "../../core/kv/collection.ts";
import { randomId } from "../../core/kv/random_id.ts";
import type { Store } from "../../core/kv/store.ts";

/**
 * How long the history of a text is kept after all have left, in milliseconds: a page that was
 * offline merges what was written there.
 */
const keptMs = dayMs;

/** How old the time of the last use may be, in milliseconds. */
const usedEveryMs = 60 * 60_000;

/** How long a thread owns its texts without showing that it is there, in milliseconds. */
const leaseMs = 8_000;

/** The same for threads of several servers, measured by the clock of the one that looks. */
const silentMs = 5_000;

/** A thread that was not looked at for so long may have been there meanwhile, in milliseconds. */
const unseenMs = 4_000;

/** Most threads of other servers whose signs are remembered. */
const maxSeen = 1_000;

/** The last sign of a thread of another server, by the clock of this one. */
interface Sign {
  until: number;
  /** When it was new, and when it was looked at last: `performance.now()`. */
  at: number;
  seenAt: number;
}

/** The thread that owns a text. */
export interface RoomOwner {
  /** The process of the server, on one of the machines. */
  node: string;
  /** The thread, among all of all machines. */
  thread: string;
}

/** A text that is edited together, or was a while ago. */
export interface RoomRecord {
  /** Where the file is, below the server's root. */
  place: EntryPath;
  /** Names the history: pages with another one cannot merge theirs. */
  document: string;
  /** The generation of the log that counts. */
  generation: number;
  /** In milliseconds since 1970, at most an hour behind. */
  used: number;
  /** The thread that has it open; null for none. */
  owner: RoomOwner | null;
}

/** The index of rooms by path: empty values. */
const roomsByPlace = new PlaceIndex<RoomRecord>("coediting_places", ({ place }) => [place]);

/** A room by its id, at most 10 KiB. It follows its file when that is renamed or moved. */
export const roomRecords = new Collection<RoomRecord>("coediting_rooms", {
  indexes: [roomsByPlace],
  expires: ({ used, owner }, now) => owner === null && used + usedEveryMs + keptMs <= now,
  follows: {
    moved: (room, from, to) => ({
      ...room,
      place: joinPaths(to, relativePath(room.place, from)),
    }),
  },
});

/** A part of the log of a room, at most 60,000 bytes. */
const logParts = new Collection<Uint8Array, [room: string, generation: number, part: number]>(
  "coediting_log",
);

/** The threads that own rooms: until when, in milliseconds since 1970. */
const roomThreads = new Collection<number>("coediting_threads", {
  expires: (until, now) => until + dayMs <= now,
});

/** Changes with every new room, so that a file never gets two at once. */
const roomTurn = new Collection<string, []>("coediting_turn");

/** Most records that one commit removes. */
const maxRemoved = 100;

/** The key of a part of the log of a room. */
export function logKey(room: string, generation: number, part: number): Deno.KvKey {
  return logParts.key(room, generation, part);
}

/** Prefix of the parts of the log of a room, of one generation or of all. */
export function logPrefix(room: string, generation?: number): Deno.KvKey {
  return logParts.prefix(room, generation);
}

/** The rooms in the store, and which thread owns each. */
export class RoomRecords {
  readonly #store: Store;
  readonly #own: RoomOwner;
  readonly #signs = new LruCache<string, Sign>(maxSeen);

  /** @param own this thread */
  constructor(store: Store, own: RoomOwner) {
    this.#store = store;
    this.#own = own;
  }

  /**
   * The room of the file at a place, which this thread owns afterwards unless another does that is
   * alive.
   */
  async claim(place: EntryPath): Promise<{ id: string; owner: RoomOwner }> {
    const id = await this.#at(place) ?? await this.#create(place);
    return { id, owner: await this.#claim(id) ?? this.#own };
  }

  /** A room; null for one that is not there. */
  async get(id: string): Promise<RoomRecord | null> {
    return await roomRecords.cached(this.#store, id);
  }

  /** Whether a room is that of the file at its place: of several, one alone is. */
  async isCurrent(id: string, place: EntryPath): Promise<boolean> {
    return await this.#at(place) === id;
  }

  /** Makes this thread the owner of a room, unless another is that is alive. @returns whether it is */
  async own(id: string): Promise<boolean> {
    return (await this.#claim(id))?.thread === this.#own.thread;
  }

  /** Begins a new history: pages with the former one cannot merge theirs any more. */
  async forgetHistory(id: string): Promise<void> {
    const former = await roomRecords.update(
      this.#store,
      [id],
      (now) =>
        now?.owner?.thread === this.#own.thread
          ? { ...now, document: randomId(8), generation: now.generation + 1 }
          : undefined,
    );
    if (former) await removeLog(this.#store, id);
  }

  /** Gives a room up, for any other thread. */
  async release(id: string): Promise<void> {
    await roomRecords.update(
      this.#store,
      [id],
      (now) =>
        now?.owner?.thread === this.#own.thread
          ? { ...now, owner: null, used: Date.now() }
          : undefined,
    );
  }

  /** Shows that this thread is there. */
  async renewLease(): Promise<void> {
    await roomThreads.set(this.#store, [this.#own.thread], Date.now() + leaseMs);
  }

  /** This thread owns nothing. */
  async endLease(): Promise<void> {
    await roomThreads.remove(this.#store, this.#own.thread);
  }

  /**
   * Whether a thread shows that it is there. Clocks of other machines may differ: their threads are
   * taken for gone once they have shown nothing new for a while, by the clock of this one.
   */
  async isAlive({ thread }: RoomOwner): Promise<boolean> {
    const until = await roomThreads.get(this.#store, thread);
    if (until === null) return false;
    if (!this.#store.network) return until > Date.now();
    const now = performance.now();
    const former = this.#signs.get(thread);
    const isOld = former?.until === until && now - former.seenAt < unseenMs;
    const at = isOld ? former.at : now;
    this.#signs.set(thread, { until, at, seenAt: now });
    return now - at < silentMs;
  }

  /** Removes rooms that are over, with their logs. */
  async removeExpired(): Promise<void> {
    const now = Date.now();
    for (const entry of await roomRecords.entries(this.#store)) {
      const { value, key } = entry;
      const isOver = roomRecords.declared.expires?.(value, now) ||
        value.owner !== null && value.used + 2 * keptMs <= now && !await this.isAlive(value.owner);
      if (!isOver) continue;
      const { ok } = await this.#store.atomic((operation) => roomRecords.drop(operation, entry));
      if (ok) await removeLog(this.#store, String(key.at(-1)));
    }
    await roomThreads.removeExpired(this.#store, now);
    await this.#removeLost();
  }

  /** Removes logs whose room was removed. */
  async #removeLost(): Promise<void> {
    for (let after: string | null = null;;) {
      const prefix = logParts.prefix();
      const selector: Deno.KvListSelector = after === null
        ? { prefix }
        : { prefix, start: [...prefix, `${after}\0`] };
      const [found]: Deno.KvEntry<unknown>[] = await this.#store.read((kv) =>
        Array.fromAsync(kv.list(selector, { limit: 1 }))
      );
      if (!found) return;
      after = String(found.key[1]);
      if (await roomRecords.get(this.#store, after) === null) await removeLog(this.#store, after);
    }
  }

  /** The owner of a room, after this thread has tried to be it; null for a room that is gone. */
  async #claim(id: string): Promise<RoomOwner | null> {
    const claimed = await roomRecords.update(this.#store, [id], async (now) => {
      if (now === null) return undefined;
      const { owner } = now;
      const isMine = owner?.thread === this.#own.thread;
      if (owner !== null && !isMine && await this.isAlive(owner)) return undefined;
      return { ...now, owner: this.#own, used: Date.now() };
    });
    return claimed?.owner ?? (await roomRecords.get(this.#store, id))?.owner ?? null;
  }

  async #create(place: EntryPath): Promise<string> {
    let id = randomId(16);
    await roomTurn.update(this.#store, [], async () => {
      const there = await this.#at(place);
      if (there === null) return id;
      id = there;
      return undefined;
    }, (operation) => {
      roomRecords.put(operation, [id], {
        ...{ place, document: randomId(8), generation: 0, used: Date.now(), owner: this.#own },
      });
    });
    return id;
  }

  /** The id of the room of the file at a place: of several, after a move, the smallest. */
  async #at(place: EntryPath): Promise<string | null> {
    const selector = roomsByPlace.at(place);
    const keys = await this.#store.read((kv) => Array.fromAsync(kv.list(selector)));
    const entries = await roomRecords.namedEntries(this.#store, keys);
    const found = entries.find(({ value }) => value?.place === place);
    return found ? String(found.key.at(-1)) : null;
  }
}

/** Ends what dead threads own, at the start of the only process on the store. */
export async function endLeases(store: Store): Promise<void> {
  for (const { key } of await roomThreads.entries(store)) {
    await store.atomic((operation) => operation.delete(key));
  }
}

/** Removes the log of a room, or a former generation of it. */
export async function removeLog(store: Store, room: string, generation?: number): Promise<void> {
  const prefix = logPrefix(room, generation);
  for (;;) {
    const found = await store.read((kv) =>
      Array.fromAsync(kv.list({ prefix }, { limit: maxRemoved }))
    );
    if (found.length > 0) {
      await store.atomic((operation) => {
        for (const { key } of found) operation.delete(key);
        return operation;
      });
    }
    if (found.length < maxRemoved) return;
  }
}
