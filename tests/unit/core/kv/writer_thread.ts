/** A thread that opens a store and counts up a record in it. */
import { commitChange } from "../../../../lib/server/core/kv/commit.ts";
import { openStore } from "../../../../lib/server/core/kv/store.ts";

interface Thread {
  onmessage: (event: MessageEvent<{ path: string; writes: number }>) => void;
  postMessage(message: string): void;
}

const thread = self as unknown as Thread;

thread.onmessage = async ({ data: { path, writes } }) => {
  try {
    const store = await openStore(path);
    for (let written = 0; written < writes; written++) {
      await commitChange(store, async () => {
        const entry = await store.get<number>(["counter"]);
        const next = (entry.value ?? 0) + 1;
        return { result: next, build: (operation) => operation.check(entry).set(entry.key, next) };
      });
    }
    store.close();
    thread.postMessage("done");
  } catch (error) {
    thread.postMessage(String(error));
  }
};
