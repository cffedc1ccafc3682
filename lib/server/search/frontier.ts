/** With more waiting than this, the walk goes deep instead of wide. */
const widest = 4_000;

/** So many places that are no longer needed are given back together. */
const given = 1_000;

/**
 * What a walk has yet to visit. It gives the nearest first, so that what lies near the top is found
 * early; in a tree so wide that this would take much memory, the latest.
 */
export class Frontier<T> {
  #waiting: T[] = [];
  #first = 0;

  /** Takes in what was found on a visit. */
  add(found: T[]): void {
    for (const each of found) this.#waiting.push(each);
  }

  /** What to visit next; undefined at the end. */
  next(): T | undefined {
    const count = this.#waiting.length - this.#first;
    if (count === 0) return undefined;
    if (count > widest) return this.#waiting.pop();
    if (this.#first === given) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    return this.#waiting[this.#first++];
  }
}
