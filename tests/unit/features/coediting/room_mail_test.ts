import assert from "node:assert/strict";
import { RoomMail } from "../../../../lib/server/features/coediting/room_mail.ts";
import { RoomRecords } from "../../../../lib/server/features/coediting/room_records.ts";
import { openStore, type Store } from "../../../../lib/server/core/kv/store.ts";
import { parsePath } from "../../../../lib/shared/path.ts";
import { delay } from "../../../../lib/shared/delay.ts";

/** Waits until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; !await isSo(); await delay(5)) {
    assert.ok(Date.now() < end, "not so in time");
  }
}

/** A store in memory that several servers have, as one on the network. */
async function sharedStore(): Promise<Store & AsyncDisposable & { fail: boolean }> {
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

/** A thread with mail. */
function threadOn(store: Store, name: string, listens = true) {
  const mail = new RoomMail(store, name);
  const taken: unknown[] = [];
  const lost: string[] = [];
  if (listens) {
    mail.listen({
      take: (message, from) => void taken.push([from, message]),
      lose: (thread) => void lost.push(thread),
    });
  }
  return { mail, taken, lost, [Symbol.asyncDispose]: () => mail.close() };
}

const isEmpty = async (store: Store) => (await store.list(["coediting_mail"])).length === 0;

Deno.test("mail comes once and in its order, both ways, short and long, and is gone then", async () => {
  await using store = await sharedStore();
  await using one = threadOn(store, "one");
  await using two = threadOn(store, "two");
  const messages = Array.from({ length: 60 }, (_, index) => ({
    kind: "send",
    line: String(index),
    right: null,
    message: new Uint8Array(index % 20 === 7 ? 1_500_000 : index * 900).fill(index),
  }));
  for (const message of messages) {
    one.mail.post("two", message);
    two.mail.post("one", message);
  }
  await until(() => one.taken.length === 60 && two.taken.length === 60);
  assert.deepEqual(two.taken, messages.map((message) => ["one", message]));
  assert.deepEqual(one.taken, messages.map((message) => ["two", message]));
  await until(() => isEmpty(store));
  assert.deepEqual([one.lost, two.lost], [[], []]);
});

Deno.test("mail that none reads waits within bounds, and its thread is given up", async () => {
  await using store = await sharedStore();
  await using one = threadOn(store, "one");
  for (let count = 0; count < 20; count++) one.mail.post("silent", new Uint8Array(1_000_000));
  assert.deepEqual(one.lost, ["silent"]);
  const bytes = (await store.list<{ piece: Uint8Array }>(["coediting_mail", "silent"]))
    .reduce((sum, { value }) => sum + value.piece.length, 0);
  assert.ok(bytes <= 100 * 60_000, String(bytes));
});

Deno.test("mail that cannot be written is given up, and the next comes by itself", async () => {
  await using store = await sharedStore();
  await using one = threadOn(store, "one");
  await using two = threadOn(store, "two");
  one.mail.post("two", "first");
  await until(() => two.taken.length === 1);
  store.fail = true;
  one.mail.post("two", "second");
  one.mail.post("two", "third");
  await until(() => one.lost.length > 0);
  store.fail = false;
  one.mail.post("two", "fourth");
  await until(() => two.taken.length === 2);
  assert.deepEqual(two.taken, [["one", "first"], ["one", "fourth"]]);
  assert.deepEqual(one.lost, ["two"]);
});

Deno.test("mail that was read and could not be removed is not read twice", async () => {
  await using store = await sharedStore();
  await using one = threadOn(store, "one");
  await using two = threadOn(store, "two", false);
  one.mail.post("two", "first");
  await until(async () => !await isEmpty(store));
  store.fail = true;
  const taken: unknown[] = [];
  two.mail.listen({ take: (message) => void taken.push(message), lose: () => {} });
  await until(() => taken.length === 1);
  store.fail = false;
  one.mail.post("two", "second");
  await until(() => taken.length === 2);
  assert.deepEqual(taken, ["first", "second"]);
});

Deno.test("a thread of a server whose clock is wrong is alive as long as it shows signs", async () => {
  await using store = await sharedStore();
  const own = (thread: string) => new RoomRecords(store, { node: thread, thread });
  const [late, other] = [own("late"), own("other")];
  const now = Date.now;
  const { path } = parsePath("/a.txt");
  try {
    Date.now = () => now() - 3_600_000;
    await late.renewLease();
    const { id, owner } = await late.claim(path);
    assert.equal(owner.thread, "late");
    Date.now = now;
    assert.deepEqual(await other.claim(path), { id, owner });
    await late.endLease();
    assert.equal((await other.claim(path)).owner.thread, "other");
  } finally {
    Date.now = now;
  }
});
