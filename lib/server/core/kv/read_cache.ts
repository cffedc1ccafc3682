import { LruCache } from "../../../shared/lru_cache.ts";
import { ReadRecorder, type RecordedRead } from "./recorded_reads.ts";

/** Most values that are kept; a user's session with its records takes about 2 KB. */
const maxKept = 1_000;

/** What a cache asks of a store. */
export interface ReadState {
  /** Differs after each write, by any thread or process; null when that can't be told. */
  version(): number | null;
  /** Whether the same reads would find the same now; without it, no write may have been since. */
  isUnchanged?(reads: readonly RecordedRead[]): boolean;
}

interface Kept {
  value: unknown;
  /** Null where a value depends on more than can be compared. */
  reads: readonly RecordedRead[] | null;
}

/**
 * A cache of what was read of a store. A write by any thread or process is seen by the very next
 * read: after each, the versions of the records that a value was made of are compared, before the
 * value is used again. One that was made of many records is dropped.
 */
export class ReadCache {
  readonly #state: ReadState;
  #version: number | null = null;
  /** Those that are known to be those of this version. */
  #current = new LruCache<string, Kept>(maxKept);
  /** Those of any version. */
  readonly #followed = new LruCache<string, Kept>(maxKept, ({ reads }) => reads?.length ?? 1);

  constructor(state: ReadState) {
    this.#state = state;
  }

  /**
   * The last result of `read` for a key, if nothing that it depends on was written since.
   *
   * @param key of what is read above all; each belongs to one kind of value
   * @param read depends on nothing but the key and the store; its value is frozen
   */
  async get<T>(key: Deno.KvKey, read: () => Promise<T>): Promise<T> {
    const outer = ReadRecorder.current;
    const version = this.#state.version();
    if (version === null) {
      outer?.addUnknown();
      return await read();
    }
    if (version !== this.#version) {
      this.#version = version;
      this.#current = new LruCache(maxKept);
    }
    const name = JSON.stringify(key);
    const kept = this.#current.get(name) ?? this.#unchanged(name);
    if (kept !== undefined) {
      outer?.addAll(kept.reads);
      return kept.value as T;
    }
    const recorder = new ReadRecorder();
    const value = freeze(await recorder.run(read));
    const { reads } = recorder;
    outer?.addAll(reads);
    // Another request may have seen a later version meanwhile.
    if (this.#version === version) this.#current.set(name, { value, reads });
    if (reads) this.#followed.set(name, { value, reads });
    return value;
  }

  #unchanged(name: string): Kept | undefined {
    const kept = this.#followed.get(name);
    if (!kept?.reads || !this.#state.isUnchanged?.(kept.reads)) return undefined;
    this.#current.set(name, kept);
    return kept;
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
