/** Counts what is read of a store. */
import type { Store } from "../../../lib/server/core/kv/store.ts";

/** A store that counts the records, and keys of indexes, that are read of it. */
export interface CountedStore {
  store: Store;
  /** How many were read since this was last asked. */
  takeCount(): number;
}

/** Wraps a store, which stays what it is. */
export function countReads(store: Store): CountedStore {
  let count = 0;
  async function* listed<T>(
    entries: Deno.KvListIterator<T>,
  ): AsyncGenerator<Deno.KvEntry<T>, undefined> {
    for await (const entry of entries) {
      count++;
      yield entry;
    }
  }
  const listIn = (kv: Pick<Deno.Kv, "list">): Deno.Kv["list"] => {
    return <T>(...args: Parameters<Deno.Kv["list"]>): Deno.KvListIterator<T> =>
      Object.assign(listed(kv.list<T>(...args)), { cursor: "" });
  };
  const counted: Store = {
    ...store,
    get(key) {
      count++;
      return store.get(key);
    },
    getMany(keys) {
      count += keys.length;
      return store.getMany(keys);
    },
    async list<T>(prefix: Deno.KvKey) {
      const entries = await store.list<T>(prefix);
      count += entries.length;
      return entries;
    },
    read: (work) => store.read((kv) => work({ watch: kv.watch, list: listIn(kv) })),
    cachedRead: (_, read) => read(),
  };
  return {
    store: counted,
    takeCount() {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}
