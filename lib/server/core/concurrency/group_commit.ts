/** An item that waits for a commit, and its caller. */
interface Waiting<Item> {
  item: Item;
  ended: PromiseWithResolvers<void>;
}

/**
 * Group commit: what is added for one key while a commit of that key is under way shares the next
 * one. A caller's item is in the store when its promise resolves, as if it had been alone.
 */
export class GroupCommit<Key, Item> {
  readonly #commit: (key: Key, items: Item[]) => Promise<void>;
  readonly #maxItems: number;
  /** By key: the items for the next commits, while one is under way. */
  readonly #waiting = new Map<Key, Waiting<Item>[]>();

  /**
   * @param commit writes some items of a key, in their order
   * @param maxItems most items of one commit
   */
  constructor(commit: (key: Key, items: Item[]) => Promise<void>, maxItems: number) {
    this.#commit = commit;
    this.#maxItems = maxItems;
  }

  /** Commits an item. @throws what the commit throws that it shares */
  add(key: Key, item: Item): Promise<void> {
    const ended = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(key);
    if (waiting) waiting.push({ item, ended });
    else {
      this.#waiting.set(key, [{ item, ended }]);
      void this.#run(key);
    }
    return ended.promise;
  }

  async #run(key: Key): Promise<void> {
    for (
      let waiting = this.#waiting.get(key) ?? [];
      waiting.length > 0;
      waiting = this.#waiting.get(key) ?? []
    ) {
      const group = waiting.splice(0, this.#maxItems);
      try {
        await this.#commit(key, group.map(({ item }) => item));
        for (const { ended } of group) ended.resolve();
      } catch (error) {
        for (const { ended } of group) ended.reject(error);
      }
    }
    this.#waiting.delete(key);
  }
}
