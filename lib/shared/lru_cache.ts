/**
 * An LRU cache: a map of bounded size that drops the least recently used entries.
 *
 * Our own class, as the browser needs one, too: `lru-cache` is many times as long as this.
 */
export class LruCache<Key, Value extends NonNullable<unknown>> {
  /** Least recently used first. */
  readonly #entries = new Map<Key, Value>();
  readonly #capacity: number;
  readonly #sizeOf: (value: Value) => number;
  #size = 0;
  #newest: Key | undefined;

  /**
   * @param capacity the sum of the sizes of all values
   * @param sizeOf the size of one value; 1 unless given, so that `capacity` is their number
   */
  constructor(capacity: number, sizeOf: (value: Value) => number = () => 1) {
    this.#capacity = capacity;
    this.#sizeOf = sizeOf;
  }

  /** The value of a key, which becomes the most recently used. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || key === this.#newest) return value;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    return value;
  }

  /** Stores a value, and drops others beyond the capacity; a value that is itself larger, too. */
  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    this.#size += this.#sizeOf(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#capacity) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#size -= this.#sizeOf(value);
  }

  /** All values, least recently used first. */
  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.#entries.entries();
  }
}
