import { type EntryPath, isInside, parentOf } from "../../../shared/path.ts";
import type { EntryObserver } from "../../files/entry_observers.ts";
import { commitChange } from "../../core/kv/commit.ts";
import { davLockKey, davLocksPrefix, davLockTurnKey } from "../../core/kv/keys/dav.ts";
import { removeExpired } from "../../core/kv/remove_expired.ts";
import { checkRecordSize } from "../../core/kv/size.ts";
import type { Store } from "../../core/kv/store.ts";
import { DavRefusal } from "./dav_refusal.ts";

/** Most locks of one user. */
const maxLocks = 1_000;

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
}

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
 * are few and read as a whole, which is kept until anything is written to the store.
 */
export class Locks implements EntryObserver {
  readonly #store: Store;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, now: () => number = () => Date.now()) {
    this.#store = store;
    this.#now = now;
  }

  /** All locks that are in force. */
  async all(): Promise<DavLock[]> {
    const prefix = davLocksPrefix();
    const locks = await this.#store.cachedRead(prefix, () => this.#read());
    return this.#inForce(locks);
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
    await commitChange(this.#store, async () => {
      const turn = await this.#store.get(davLockTurnKey());
      const locks = this.#inForce(await this.#read());
      const isFull = locks.filter(({ userId }) => userId === lock.userId).length >= maxLocks;
      if (isFull || locks.some((other) => excludes(other, lock))) {
        const reason = isFull ? `at most ${maxLocks} are allowed` : "another lock conflicts";
        throw new DavRefusal("conflicting_lock", "locked", `${action}: ${reason}`);
      }
      return {
        result: undefined,
        build: (operation) =>
          operation.check(turn).set(turn.key, lock.token).set(davLockKey(lock.token), lock),
      };
    });
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
      const lock = await commitChange(this.#store, async () => {
        const entry = await this.#store.get<DavLock>(davLockKey(token));
        const [former] = this.#inForce(entry.value ? [entry.value] : []);
        if (!former || former.userId !== holder.userId || !covers(former, place)) {
          return { result: null, build: null };
        }
        const next = { ...former, seconds, expires: this.#now() + seconds * 1000 };
        return { result: next, build: (operation) => operation.check(entry).set(entry.key, next) };
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
    const entry = await this.#store.get<DavLock>(davLockKey(token));
    const [lock] = this.#inForce(entry.value ? [entry.value] : []);
    if (!lock || lock.userId !== userId || !covers(lock, place)) {
      throw new DavRefusal("no_such_lock", "locked", `${action}: you hold no such lock`);
    }
    await this.#store.atomic((operation) => operation.delete(entry.key));
  }

  /**
   * Refuses a change that a lock forbids. An exclusive lock needs its token, of shared ones on the
   * same entry one is enough; a token counts for its own user alone.
   *
   * @param path for the answer
   * @throws {DavRefusal} `locked`
   */
  async assertFree(
    holder: LockHolder,
    affected: readonly Affected[],
    action: string,
    path: EntryPath,
  ): Promise<void> {
    const locks = await this.all();
    if (locks.length === 0) return;
    const isHeld = ({ userId, token }: DavLock) =>
      userId === holder.userId && holder.tokens.has(token);
    const hits = locks.filter((lock) => affected.some((change) => forbids(lock, change)));
    const blocking = hits.filter((lock) =>
      !isHeld(lock) &&
      !(lock.isShared && hits.some((other) => isShareOf(other, lock) && isHeld(other)))
    );
    if (blocking.length === 0) return;
    throw new DavRefusal("locked", "locked", `${action}: a program has locked it`, [path]);
  }

  async concerns(path: EntryPath): Promise<boolean> {
    return (await this.all()).some(({ place }) => isInside(place, path));
  }

  /** A lock does not move with its entry (RFC 4918, 7.7). */
  async moved(from: EntryPath): Promise<void> {
    await this.removed(from);
  }

  async removed(path: EntryPath): Promise<void> {
    const gone = (await this.#read()).filter(({ place }) => isInside(place, path));
    for (const { token } of gone) {
      await this.#store.atomic((operation) => operation.delete(davLockKey(token)));
    }
  }

  /** Removes the records of locks that are over. */
  async removeExpired(): Promise<void> {
    const now = this.#now();
    await removeExpired<DavLock>(this.#store, davLocksPrefix(), ({ expires }) => expires <= now);
  }

  async #read(): Promise<DavLock[]> {
    return (await this.#store.list<DavLock>(davLocksPrefix())).map(({ value }) => value);
  }

  #inForce(locks: readonly DavLock[]): DavLock[] {
    const now = this.#now();
    return locks.filter(({ expires }) => expires > now);
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

/** Whether a change needs the token of a lock. */
function forbids(lock: DavLock, { place, isDeep = false, isMember = false }: Affected): boolean {
  return covers(lock, place) || isDeep && isInside(lock.place, place) ||
    isMember && place !== "/" && lock.place === parentOf(place);
}

function isShareOf(one: DavLock, other: DavLock): boolean {
  return one.isShared && one.place === other.place;
}
