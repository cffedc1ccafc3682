import type { Branch } from "../access/branch.ts";

/** With more folders than this waiting, the walk goes deep instead of wide. */
const widest = 10_000;

/**
 * The folders that a walk has yet to visit. It gives the nearest first, so that what lies near the
 * top is found early; in a tree so wide that they would take much memory, the deepest.
 */
export class Frontier {
  #waiting: Branch[] = [];
  #first = 0;

  /** Takes in the folders in one that was visited. */
  add(branches: Branch[]): void {
    for (const branch of branches) this.#waiting.push(branch);
  }

  /** The folder to visit next. */
  next(): Branch | undefined {
    if (this.#waiting.length - this.#first > widest) return this.#waiting.pop();
    if (this.#first > widest) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    return this.#waiting[this.#first++];
  }
}
