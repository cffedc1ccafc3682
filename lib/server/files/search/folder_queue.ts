/** Above this length the walk goes depth-first. */
const widest = 4_000;

/** Visited items are removed in batches of this size. */
const batch = 1_000;

/**
 * Folders still to visit. Returns the nearest first, so that results near the top come early; above
 * {@link widest} the newest first, which bounds the memory.
 */
export class FolderQueue<T> {
  #waiting: T[] = [];
  #first = 0;

  /** Adds the folders found by a visit. */
  add(found: T[]): void {
    for (const each of found) this.#waiting.push(each);
  }

  /** The number of folders that wait. */
  get size(): number {
    return this.#waiting.length - this.#first;
  }

  /** The next folders to visit, in their order, as far as there are any. */
  take(count: number): T[] {
    const taken: T[] = [];
    for (let next; taken.length < count && (next = this.next()) !== undefined;) taken.push(next);
    return taken;
  }

  /** The next folder to visit; undefined at the end. */
  next(): T | undefined {
    if (this.size === 0) return undefined;
    if (this.size > widest) return this.#waiting.pop();
    if (this.#first === batch) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    return this.#waiting[this.#first++];
  }
}
