import {
  childrenOf,
  type EntryPath,
  isInside,
  joinPaths,
  nameOf,
  parentOf,
  relativePath,
} from "../../../shared/path.ts";
import { companionName } from "../../core/access/companions.ts";
import { Collection } from "../../core/kv/collection.ts";
import { checkRecordSize } from "../../core/kv/size.ts";
import type { Store } from "../../core/kv/store.ts";
import { DavRefusal } from "./dav_refusal.ts";

/** A write lock (RFC 4918, 6). */
export interface DavLock {
  /** A URI that cannot be guessed. */
  token: string;
  /** The user who holds it: for others its token is worth nothing. */
  userId: number;
  /** The path of what is locked, below the server's root. */
  place: EntryPath;
  /** Others may hold shared locks on the same. */
  isShared: boolean;
  /** It covers all that is below a folder. */
  isDeep: boolean;
  /** The element `owner` as the client sent it; "" for none. */
  owner: string;
  /** How long it lasts without being refreshed, in seconds. */
  seconds: number;
  /** In milliseconds since 1970. */
  expires: number;
  /**
   * The id that an office server has given its lock (WOPI): all who edit the document there hold it
   * together, and no client of WebDAV does. Absent for a lock of WebDAV.
   */
  office?: string;
}

/**
 * A lock of WebDAV or of an office server, at most 60 KiB, by its token. The first kind ends when its
 * entry moves (RFC 4918, 7.7); the second follows, as the document is still open.
 */
export const davLocks = new Collection<DavLock, [token: string]>("dav_locks", {
  max: 1_000,
  expires: ({ expires }, now) => expires <= now,
  follows: {
    placesOf: ({ place }) => [place],
    moved: (lock, from, to) =>
      lock.office === undefined
        ? null
        : { ...lock, place: joinPaths(to, relativePath(lock.place, from)) },
  },
});

/** Changes with every new lock, so that two that exclude each other are never made at once. */
const lockTurn = new Collection<string, []>("dav_lock_turn");

/** The scope of an operation. */
export interface Affected {
  /** Below the server's root. */
  place: EntryPath;
  /** All below it changes as well. */
  isDeep?: boolean;
  /** Its name comes or goes, so that its folder changes, too. */
  isMember?: boolean;
}

/** The author of a change, with the submitted lock tokens. */
export interface LockHolder {
  userId: number;
  tokens: ReadonlySet<string>;
}

/**
 * The locks of WebDAV clients, in the store, so that they hold in all threads and processes. They
 * are few and read as a whole, which is kept until one of them is written.
 */
export class Locks {
  readonly #store: Store;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, now: () => number = () => Date.now()) {
    this.#store = store;
    this.#now = now;
  }

  /** All locks that are in force. */
  async all(): Promise<DavLock[]> {
    return this.#inForce(await davLocks.cachedList(this.#store));
  }

  /**
   * Locks an entry. Every new lock takes a turn in the store, so that of two that exclude each
   * other, asked for at once of two processes, one is refused.
   *
   * @throws {DavRefusal} `conflicting_lock`
   * @throws {DomainError} `invalid_body` when the owner is too long
   */
  async create(
    draft: Omit<DavLock, "token" | "expires">,
    action: string,
  ): Promise<DavLock> {
    const lock: DavLock = {
      ...draft,
      token: `urn:uuid:${crypto.randomUUID()}`,
      expires: this.#now() + draft.seconds * 1000,
    };
    checkRecordSize(action, lock);
    await lockTurn.update(this.#store, [], async () => {
      const locks = this.#inForce(await davLocks.list(this.#store));
      const isFull = locks.filter(({ userId }) => userId === lock.userId).length >= davLocks.max;
      const others = locks.filter((other) => excludes(other, lock)).map(({ place }) => place);
      if (isFull || others.length > 0) {
        const reason = isFull ? `at most ${davLocks.max} are allowed` : "another lock conflicts";
        throw new DavRefusal("conflicting_lock", "locked", `${action}: ${reason}`, others);
      }
      return lock.token;
    }, (operation) => davLocks.put(operation, [lock.token], lock));
    return lock;
  }

  /**
   * Has a lock last longer.
   *
   * @param place what the client names, which the lock must cover
   * @throws {DavRefusal} `no_such_lock`, also for another user's
   */
  async refresh(
    holder: LockHolder,
    place: EntryPath,
    seconds: number,
    action: string,
  ): Promise<DavLock> {
    for (const token of holder.tokens) {
      const lock = await davLocks.update(this.#store, [token], (former) => {
        const isHeld = former && this.#isInForce(former) && former.userId === holder.userId &&
          covers(former, place);
        if (!isHeld) return undefined;
        return { ...former, seconds, expires: this.#now() + seconds * 1000 };
      });
      if (lock) return lock;
    }
    throw new DavRefusal(
      "condition_failed",
      "precondition_failed",
      `${action}: no such lock`,
    );
  }

  /**
   * Ends a lock.
   *
   * @throws {DavRefusal} `no_such_lock`, also for another user's
   */
  async remove(userId: number, token: string, place: EntryPath, action: string): Promise<void> {
    const lock = await davLocks.get(this.#store, token);
    if (!lock || !this.#isInForce(lock) || lock.userId !== userId || !covers(lock, place)) {
      throw new DavRefusal("no_such_lock", "locked", `${action}: you hold no such lock`);
    }
    await davLocks.remove(this.#store, token);
  }

  /**
   * Refuses a change that a lock forbids. An exclusive lock needs its token, of shared ones on the
   * same entry one is enough; a token counts for its own user alone. What macOS keeps beside an entry
   * goes where that goes: a lock of another user on it is in the way as well.
   *
   * @throws {DavRefusal} `locked`
   */
  async assertFree(
    holder: LockHolder,
    affected: readonly Affected[],
    action: string,
  ): Promise<void> {
    const locks = await this.all();
    if (locks.length === 0) return;
    const isHeld = ({ userId, token }: DavLock) =>
      userId === holder.userId && holder.tokens.has(token);
    const hits = locks.filter((lock) =>
      affected.some((change) =>
        forbids(lock, change) || lock.userId !== holder.userId && isOnCompanion(lock, change)
      )
    );
    const blocking = hits.filter((lock) =>
      !isHeld(lock) &&
      !(lock.isShared && hits.some((other) => isShareOf(other, lock) && isHeld(other)))
    );
    if (blocking.length === 0) return;
    const places = blocking.map(({ place }) => place);
    throw new DavRefusal("locked", "locked", `${action}: a program has locked it`, places);
  }

  /** Removes the records of locks that are over. */
  async removeExpired(): Promise<void> {
    await davLocks.removeExpired(this.#store, this.#now());
  }

  #inForce(locks: readonly DavLock[]): DavLock[] {
    return locks.filter((lock) => this.#isInForce(lock));
  }

  #isInForce({ expires }: DavLock): boolean {
    return expires > this.#now();
  }
}

/** Whether a lock is on an entry, or on a folder above it with all that is below. */
export function covers({ place, isDeep }: DavLock, path: EntryPath): boolean {
  return place === path || isDeep && isInside(path, place);
}

/** Whether two locks cannot both be. */
function excludes(one: DavLock, other: DavLock): boolean {
  return !(one.isShared && other.isShared) &&
    (covers(one, other.place) || covers(other, one.place));
}

/** Whether a lock is on the companion of an entry that comes or goes. */
function isOnCompanion(lock: DavLock, { place, isDeep = false }: Affected): boolean {
  return isDeep && lock.place === childrenOf(parentOf(place))(companionName(nameOf(place)));
}

/** Whether a change needs the token of a lock. */
function forbids(lock: DavLock, { place, isDeep = false, isMember = false }: Affected): boolean {
  return covers(lock, place) || isDeep && isInside(lock.place, place) ||
    isMember && place !== "/" && lock.place === parentOf(place);
}

function isShareOf(one: DavLock, other: DavLock): boolean {
  return one.isShared && one.place === other.place;
}
