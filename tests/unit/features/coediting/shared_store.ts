import { openStore, type Store } from "../../../../lib/server/core/kv/store.ts";

/** A store in memory that several servers have, as one on the network. */
export async function sharedStore(): Promise<Store & AsyncDisposable & { fail: boolean }> {
  const store = await openStore(":memory:");
  const followed = new Set<Promise<void>>();
  const shared = {
    ...store,
    fail: false,
    atomic(build: Parameters<Store["atomic"]>[0]) {
      if (shared.fail) return Promise.reject(new Error("The store is away"));
      return store.atomic(build);
    },
    network: {
      follow<T>(key: Deno.KvKey, take: (value: T | null) => void): Disposable {
        let reader: ReadableStreamDefaultReader<[Deno.KvEntryMaybe<T>]> | undefined;
        followed.add(store.read(async (kv) => {
          reader = kv.watch<[T]>([key]).getReader();
          for (;;) {
            const { done, value } = await reader.read();
            if (done) return;
            take(value[0].value);
          }
        }));
        return { [Symbol.dispose]: () => void reader?.cancel() };
      },
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(followed);
      store.close();
    },
  };
  return shared;
}
