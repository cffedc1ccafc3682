import type { EntryPath } from "../../shared/path.ts";

/**
 * Observes paths of entries, to update records kept by path, such as shares. Paths are below the
 * server root, whatever the acting user's scope; each stands for its whole subtree.
 */
export interface EntryObserver {
  /** An entry has moved to another path. */
  moved(from: EntryPath, to: EntryPath): Promise<void>;
  /** An entry was removed. */
  removed(path: EntryPath): Promise<void>;
}

/** Distributes changes to all observers. */
export class EntryObservers implements EntryObserver {
  readonly #all: EntryObserver[] = [];

  add(observer: EntryObserver): void {
    this.#all.push(observer);
  }

  async moved(from: EntryPath, to: EntryPath): Promise<void> {
    for (const observer of this.#all) await observer.moved(from, to);
  }

  async removed(path: EntryPath): Promise<void> {
    for (const observer of this.#all) await observer.removed(path);
  }
}
