/** A value in the order of use. */
interface Node<Key, Value> {
  key: Key;
  value: Value;
  older: Node<Key, Value>;
  newer: Node<Key, Value>;
}

/**
 * An LRU cache: a map of bounded size that drops the least recently used entries.
 *
 * Our own class, as the browser needs one, too: `lru-cache` is many times as long as this. The order
 * of a `Map` would do, but to find its first key takes as long as there were keys before it.
 */
export class LruCache<Key, Value extends NonNullable<unknown>> {
  readonly #nodes = new Map<Key, Node<Key, Value>>();
  readonly #capacity: number;
  readonly #sizeOf: (value: Value) => number;
  /** Before the oldest and behind the newest one; without key and value. */
  readonly #ends = {} as Node<Key, Value>;
  #size = 0;

  /**
   * @param capacity the sum of the sizes of all values
   * @param sizeOf the size of one value; 1 unless given, so that `capacity` is their number
   */
  constructor(capacity: number, sizeOf: (value: Value) => number = () => 1) {
    this.#capacity = capacity;
    this.#sizeOf = sizeOf;
    this.#ends.older = this.#ends.newer = this.#ends;
  }

  /** The value of a key, which becomes the most recently used. */
  get(key: Key): Value | undefined {
    const node = this.#nodes.get(key);
    if (node) this.#append(this.#unlink(node));
    return node?.value;
  }

  /** Stores a value, and drops others beyond the capacity; a value that is itself larger, too. */
  set(key: Key, value: Value): void {
    const former = this.#nodes.get(key);
    const node = former ? this.#unlink(former) : { key } as Node<Key, Value>;
    if (former) this.#size -= this.#sizeOf(former.value);
    else this.#nodes.set(key, node);
    node.value = value;
    this.#append(node);
    this.#size += this.#sizeOf(value);
    while (this.#size > this.#capacity) this.delete(this.#ends.newer.key);
  }

  delete(key: Key): void {
    const node = this.#nodes.get(key);
    if (!node) return;
    this.#nodes.delete(key);
    this.#unlink(node);
    this.#size -= this.#sizeOf(node.value);
  }

  /** All values, least recently used first. */
  *[Symbol.iterator](): Generator<[Key, Value], undefined> {
    for (let node = this.#ends.newer; node !== this.#ends; node = node.newer) {
      yield [node.key, node.value];
    }
  }

  #unlink(node: Node<Key, Value>): Node<Key, Value> {
    node.older.newer = node.newer;
    node.newer.older = node.older;
    return node;
  }

  #append(node: Node<Key, Value>): void {
    node.older = this.#ends.older;
    node.newer = this.#ends;
    this.#ends.older = node.older.newer = node;
  }
}
