import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Store } from "../../core/kv/store.ts";
import { DavRefusal } from "../dav/dav_refusal.ts";
import { type DavLock, davLocks, type LockHolder, type Locks } from "../dav/locks.ts";
import { escapeXml } from "../dav/xml/write_xml.ts";
import { WopiRefusal } from "./wopi_refusal.ts";

/** How long a lock lasts without being refreshed, in seconds, as the protocol says. */
const lockSeconds = 30 * 60;

/** The longest id of a lock, in characters, as the protocol says. */
const maxLockLength = 1_024;

/** Who locks a document. */
export interface DocumentUser {
  /** The user whose files it is locked among. */
  userId: number;
  /** The name that others see. */
  name: string;
}

/**
 * The locks of the office server, among those of WebDAV in one table: so what one program has
 * locked, no other one changes, and neither do pages and calls. A document has at most one.
 */
export class DocumentLocks {
  readonly #store: Store;
  readonly #locks: Locks;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, locks: Locks, now: () => number = () => Date.now()) {
    this.#store = store;
    this.#locks = locks;
    this.#now = now;
  }

  /** The id of the lock of a document; "" for none. */
  async current(place: EntryPath): Promise<string> {
    return (await this.#at(place))?.office ?? "";
  }

  /**
   * Locks a document, or has its lock last longer when it has this very one.
   *
   * @throws WopiRefusal `lock_mismatch` when another office server or program has locked it
   */
  async lock(place: EntryPath, lock: string, { userId, name }: DocumentUser): Promise<void> {
    checkLockId(lock);
    if (await this.#change(place, lock, (now) => this.#lasting(now))) return;
    const action = "Cannot lock the document";
    const owner = `<D:owner xmlns:D="DAV:">${escapeXml(name)}</D:owner>`;
    const draft = { userId, place, isShared: false, isDeep: false, owner, office: lock };
    try {
      await this.#locks.create({ ...draft, seconds: lockSeconds }, action);
    } catch (error) {
      if (!(error instanceof DavRefusal)) throw error;
      // Another one of those who open it may have been first.
      if (await this.#change(place, lock, (now) => this.#lasting(now))) return;
      throw mismatchError(action, await this.current(place), error.message);
    }
  }

  /** Has the lock of a document last longer. @throws WopiRefusal `lock_mismatch` */
  async refresh(place: EntryPath, lock: string): Promise<void> {
    checkLockId(lock);
    if (await this.#change(place, lock, (now) => this.#lasting(now))) return;
    throw mismatchError("Cannot refresh the lock", await this.current(place));
  }

  /** Replaces the lock of a document by another one. @throws WopiRefusal `lock_mismatch` */
  async relock(place: EntryPath, former: string, lock: string): Promise<void> {
    checkLockId(lock);
    const change = (now: DavLock) => ({ ...this.#lasting(now), office: lock });
    if (await this.#change(place, former, change)) return;
    throw mismatchError("Cannot replace the lock", await this.current(place));
  }

  /** Ends the lock of a document. @throws WopiRefusal `lock_mismatch` */
  async unlock(place: EntryPath, lock: string): Promise<void> {
    checkLockId(lock);
    if (await this.#change(place, lock, () => null)) return;
    throw mismatchError("Cannot unlock the document", await this.current(place));
  }

  /**
   * Refuses a change of a document by one who does not hold its lock.
   *
   * @param isFree whether it may be changed while it has no lock
   * @throws WopiRefusal `lock_mismatch`; DavRefusal `locked` when a program has locked it
   */
  async assertHeld(
    place: EntryPath,
    lock: string,
    { isFree, isMember = false }: { isFree: boolean; isMember?: boolean },
    action: string,
  ): Promise<void> {
    const held = await this.#at(place);
    if (held ? held.office !== lock : !isFree) throw mismatchError(action, held?.office ?? "");
    const holder: LockHolder = held
      ? { userId: held.userId, tokens: new Set([held.token]) }
      : { userId: 0, tokens: new Set() };
    await this.#locks.assertFree(holder, [{ place, isMember }], action);
  }

  async #at(place: EntryPath): Promise<DavLock | null> {
    const locks = await this.#locks.all();
    return locks.find((lock) => lock.office !== undefined && lock.place === place) ?? null;
  }

  /** Changes the lock of a document if it has this one. @returns whether it had */
  async #change(
    place: EntryPath,
    lock: string,
    change: (now: DavLock) => DavLock | null,
  ): Promise<boolean> {
    const found = await this.#at(place);
    if (found?.office !== lock) return false;
    let isHeld = false;
    await davLocks.update(this.#store, [found.token], (now) => {
      isHeld = now !== null && now.office === lock && now.place === place &&
        now.expires > this.#now();
      return now !== null && isHeld ? change(now) : undefined;
    });
    return isHeld;
  }

  #lasting(lock: DavLock): DavLock {
    return { ...lock, seconds: lockSeconds, expires: this.#now() + lockSeconds * 1000 };
  }
}

/** @throws DomainError `invalid_option` */
function checkLockId(lock: string): void {
  if (lock.length <= maxLockLength && /^[\x20-\x7e]+$/.test(lock)) return;
  throw new DomainError(
    "invalid_option",
    `Cannot read X-WOPI-Lock: expected 1 to ${maxLockLength} ASCII characters`,
  );
}

function mismatchError(action: string, lock: string, reason?: string): WopiRefusal {
  const why = lock === "" ? "it has no lock" : "it has another lock";
  return new WopiRefusal("lock_mismatch", reason ?? `${action}: ${why}`, lock);
}
