import { LruCache } from "../../../../shared/lru_cache.ts";
import { isStoreAway } from "../../../core/kv/circuit_breaker.ts";

/** How long a copy stands in for a store that is away, in milliseconds. */
const lifeMs = 5_000;

/** Maximum number of sessions that are copied. */
const capacity = 10_000;

/** A session as it was read, and a moment at which the store certainly had it so. */
interface Copy<T> {
  at: number;
  read: T;
}

/**
 * Copies of what requests read of their sessions. Each request reads the store, so that the end of
 * a session holds at once; the copy counts only while the store does not answer, and for five
 * seconds: then the request is refused. So a server of the store that is started again is hardly
 * noticed.
 */
export class SessionCopies {
  readonly #copies = new LruCache<string, Copy<unknown>>(capacity);

  /**
   * Reads, or answers with what was read last where the store is away.
   *
   * @throws {DomainError} `busy` without a recent copy; and what `read` throws
   */
  async read<T>(sid: string, read: () => Promise<T>): Promise<T> {
    const at = performance.now();
    try {
      const value = await read();
      this.#copies.set(sid, { at, read: value });
      return value;
    } catch (error) {
      const copy = isStoreAway(error) ? this.#copies.get(sid) as Copy<T> | undefined : undefined;
      if (copy === undefined || performance.now() - copy.at > lifeMs) throw error;
      return copy.read;
    }
  }

  /** Forgets a session that has ended. */
  delete(sid: string): void {
    this.#copies.delete(sid);
  }
}
