import assert from "node:assert/strict";
import { RoomMail } from "../../../../lib/server/features/coediting/room_mail.ts";
import type { Store } from "../../../../lib/server/core/kv/store.ts";
import { delay } from "../../../../lib/shared/delay.ts";
import { sharedStore } from "./shared_store.ts";

/** Waits until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; !await isSo(); await delay(5)) {
    assert.ok(Date.now() < end, "not so in time");
  }
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

Deno.test("what was sent before the end is still written, and comes", async () => {
  await using store = await sharedStore();
  await using two = threadOn(store, "two");
  const { mail } = threadOn(store, "one", false);
  mail.post("two", "first");
  // It waits for its turn behind the first.
  mail.post("two", "last");
  await mail.close();
  mail.post("two", "too late");
  await until(() => two.taken.length === 2);
  assert.deepEqual(two.taken, [["one", "first"], ["one", "last"]]);
});
