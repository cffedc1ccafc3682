import type { EntryPath } from "../../shared/path.ts";

/**
 * Something that is kept by path and goes with the entry, such as a share. Paths are below the
 * server root, whatever the scope of the one who acts; all that is below an entry goes with it.
 */
export interface EntryObserver {
  /** An entry has another path now. */
  moved(from: EntryPath, to: EntryPath): Promise<void>;
  /** An entry is gone. */
  removed(path: EntryPath): Promise<void>;
}

/** All that follows entries. */
export class EntryObservers implements EntryObserver {
  readonly #all: EntryObserver[] = [];

  add(follower: EntryObserver): void {
    this.#all.push(follower);
  }

  async moved(from: EntryPath, to: EntryPath): Promise<void> {
    for (const follower of this.#all) await follower.moved(from, to);
  }

  async removed(path: EntryPath): Promise<void> {
    for (const follower of this.#all) await follower.removed(path);
  }
}
