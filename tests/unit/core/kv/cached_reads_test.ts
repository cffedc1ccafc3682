import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore, type Store } from "../../../../lib/server/core/kv/store.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";

/** A reader of one record that counts how often it asks the store. */
function reader(store: Store, key: Deno.KvKey) {
  const asked = { times: 0 };
  const read = () =>
    store.cachedRead(key, async () => {
      asked.times++;
      return (await store.get<{ list: number[] }>(key)).value;
    });
  return { asked, read };
}

const key = ["a"];
const put = (store: Store, ...list: number[]) =>
  store.atomic((operation) => operation.set(key, { list }));

Deno.test("what was read is not read again before something is written, and is frozen", async () => {
  for (const location of [":memory:", "file"]) {
    await using folder = await temporaryFolder();
    const store = await openStore(location === "file" ? join(folder.path, "s.kv") : location);
    const { asked, read } = reader(store, key);
    assert.equal(await read(), null);
    assert.equal(await read(), null);
    assert.equal(asked.times, 1, location);
    await put(store, 1);
    const value = await read();
    assert.deepEqual(value, { list: [1] });
    assert.throws(() => value?.list.push(2), TypeError);
    assert.deepEqual(await read(), { list: [1] });
    assert.equal(asked.times, 2, location);
    store.close();
  }
});

Deno.test("a write by another connection to the file is seen by the next read", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "s.kv");
  const [here, there] = [await openStore(path), await openStore(path)];
  const { asked, read } = reader(here, key);
  for (let round = 1; round <= 50; round++) {
    await put(there, round);
    assert.deepEqual(await read(), { list: [round] });
    assert.deepEqual(await read(), { list: [round] });
    assert.equal(asked.times, round);
  }
  here.close();
  there.close();
});

Deno.test("what was read while another request saw a later write is not kept", async () => {
  const store = await openStore(":memory:");
  const { asked, read } = reader(store, key);
  const old = Promise.withResolvers<null>();
  const slow = store.cachedRead(key, () => old.promise);
  await put(store, 1);
  assert.deepEqual(await read(), { list: [1] });
  old.resolve(null);
  assert.equal(await slow, null);
  assert.deepEqual(await read(), { list: [1] });
  assert.equal(asked.times, 1);
  store.close();
});
