import { LruCache } from "../../../shared/lru_cache.ts";

/** Most values that are kept; a user's session with its records takes about 2 KB. */
const maxKept = 1_000;

/**
 * A cache of a store's records, valid until anything is written to it, by any thread or process: a
 * write is seen by the very next read.
 */
export class ReadCache {
  readonly #versionNow: () => number | null;
  #version: number | null = null;
  #values = new LruCache<string, { value: unknown }>(maxKept);

  /** @param versionNow differs after each write; null when that can't be told */
  constructor(versionNow: () => number | null) {
    this.#versionNow = versionNow;
  }

  /**
   * The last result of `read` for a key, if nothing was written since.
   *
   * @param key of what is read above all; each belongs to one kind of value
   * @param read depends on nothing but the key and the store; its value is frozen
   */
  async get<T>(key: Deno.KvKey, read: () => Promise<T>): Promise<T> {
    const version = this.#versionNow();
    if (version === null) return await read();
    if (version !== this.#version) {
      this.#version = version;
      this.#values = new LruCache(maxKept);
    }
    const name = JSON.stringify(key);
    const kept = this.#values.get(name);
    if (kept !== undefined) return kept.value as T;
    const value = freeze(await read());
    // Another request may have seen a later version meanwhile.
    if (this.#version === version) this.#values.set(name, { value });
    return value;
  }
}

/** Freezes a record with all that it contains: its readers share it, and must not change it. */
function freeze<T>(value: T): T {
  if (!isRecord(value) || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

/** Whether a value is a plain object or an array: bytes cannot be frozen. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return Array.isArray(value) || Object.prototype.toString.call(value) === "[object Object]";
}
