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
const silentMs = 5_000;

/**
 * The most of the time between two looks at a thread that counts as its silence, in milliseconds:
 * while the store is away, none can show anything.
 */
const countedMs = silentMs / 2;

/** Most threads whose signs are remembered. */
const maxSeen = 1_000;

/** The last sign of a thread. */
interface Sign {
  version: string;
  /** How long it has been the last one, as far as that counts, in milliseconds. */
  silence: number;
  /** When it was looked at last: `performance.now()`. */
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

/** The threads that own rooms: when each has last shown itself, in milliseconds since 1970. */
const roomThreads = new Collection<number>("coediting_threads", {
  expires: (at, now) => at + dayMs <= now,
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
    await roomThreads.set(this.#store, [this.#own.thread], Date.now());
  }

  /** This thread owns nothing. */
  async endLease(): Promise<void> {
    await roomThreads.remove(this.#store, this.#own.thread);
  }

  /**
   * Whether a thread shows that it is there. Clocks differ, and machines sleep: a thread has gone
   * once it has shown nothing new for a while, by the clock of this one and as often as it looked.
   * That is noted in the store, so that the others need not find it out, each for itself.
   */
  async isAlive({ thread }: RoomOwner): Promise<boolean> {
    const entry = await roomThreads.entry(this.#store, thread);
    if (entry.versionstamp === null) return false;
    const { versionstamp: version } = entry;
    const now = performance.now();
    const former = this.#signs.get(thread);
    const silence = former?.version === version
      ? former.silence + Math.min(now - former.seenAt, countedMs)
      : 0;
    this.#signs.set(thread, { version, silence, seenAt: now });
    if (silence < silentMs) return true;
    const { ok } = await this.#store.atomic((operation) => roomThreads.drop(operation, entry));
    // It may have shown itself meanwhile, or somebody else has noted it.
    return !ok && await roomThreads.get(this.#store, thread) !== null;
  }

  /** Whether a room is no longer that of a thread, or the thread has gone. */
  async hasLeft(id: string, owner: RoomOwner): Promise<boolean> {
    const record = await roomRecords.get(this.#store, id);
    return record?.owner?.thread !== owner.thread || !await this.isAlive(owner);
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
