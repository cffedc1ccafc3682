import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import fc from "fast-check";
import { getAll, hasAny, inParts } from "../../../../lib/server/core/kv/parts.ts";
import { storedKey } from "../../../../lib/server/core/kv/stored_key.ts";
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

/** Two connections to the file of one store, as two threads or processes have them. */
async function twoConnections() {
  const folder = await temporaryFolder();
  const path = join(folder.path, "s.kv");
  const [here, there] = [await openStore(path), await openStore(path)];
  return {
    ...{ path, here, there },
    async [Symbol.asyncDispose]() {
      here.close();
      there.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Reads through the cache, and tells whether the store was asked. */
async function readingOf<T>(store: Store, key: Deno.KvKey, read: () => Promise<T>) {
  let isRead = false;
  const value = await store.cachedRead(key, () => {
    isRead = true;
    return read();
  });
  return { value, isRead };
}

Deno.test("a write of other records keeps what was read, by whichever connection", async () => {
  await using stores = await twoConnections();
  const { here, there } = stores;
  const reads: Record<string, () => Promise<unknown>> = {
    record: async () => (await here.get(["r", 1])).value,
    none: async () => (await here.get(["r", 2])).value,
    records: async () => (await getAll(here, [["r", 1], ["r", 2]])).map(({ value }) => value),
    list: async () => (await here.list(["l"])).map(({ value }) => value),
    "empty list": async () => (await here.list(["m"])).length,
    parts: async () => (await Array.fromAsync(inParts(here, ["l"], { size: 2 }))).flat().length,
    "a later part": async () =>
      (await Array.fromAsync(inParts(here, ["l"], { after: 3 }))).flat().length,
    "the first": () => hasAny(here, ["l"]),
    nested: () => here.cachedRead(["c", "record"], reads.record as () => Promise<unknown>),
  };
  await there.atomic((operation) => operation.set(["r", 1], "one"));
  for (let at = 1; at <= 5; at++) await there.atomic((each) => each.set(["l", at], at));
  for (const [name, read] of Object.entries(reads)) {
    assert.equal((await readingOf(here, ["c", name], read)).isRead, true, name);
  }
  for (const store of [here, there]) {
    await store.atomic((operation) => operation.set(["r", 3], "other").set(["k"], 1));
    await store.atomic((operation) => operation.delete(["r", 3]));
    for (const [name, read] of Object.entries(reads)) {
      assert.equal((await readingOf(here, ["c", name], read)).isRead, false, name);
    }
  }
});

Deno.test("a value of many records, or of reads that can't be compared, ends with any write", async () => {
  await using stores = await twoConnections();
  const { here, there } = stores;
  for (let first = 0; first < 250; first += 50) {
    await there.atomic((operation) => {
      for (let at = first; at < first + 50; at++) operation.set(["many", at], at);
      return operation;
    });
  }
  const reads = {
    many: async () => (await here.list(["many"])).length,
    backwards: () =>
      here.read(async (kv) =>
        (await Array.fromAsync(kv.list({ prefix: ["many"] }, { reverse: true, limit: 2 }))).length
      ),
    "bigint key": async () => (await here.get(["many", 1n])).value,
    none: () => Promise.resolve(1),
  };
  const isReadOf = async () => {
    const isRead: Record<string, boolean> = {};
    for (const [name, read] of Object.entries(reads)) {
      isRead[name] = (await readingOf(here, ["c", name], read)).isRead;
    }
    return new Set(Object.values(isRead));
  };
  assert.deepEqual(await isReadOf(), new Set([true]));
  assert.deepEqual(await isReadOf(), new Set([false]));
  await there.atomic((operation) => operation.set(["k"], 1));
  assert.deepEqual(await isReadOf(), new Set([true]));
});

Deno.test("whatever two connections write, a cached value is that of the store", async () => {
  await using stores = await twoConnections();
  const { here, there } = stores;
  const keys: Deno.KvKey[] = [["r", 1], ["r", 2], ["r", "x"], ["r", "x\0"], ["s", -1.5], ["s", 7]];
  const reads: (() => Promise<unknown>)[] = [
    ...keys.map((key) => async () => (await here.get(key)).value),
    async () => (await here.list(["r"])).map(({ key, value }) => [...key, value]),
    async () => (await Array.fromAsync(inParts(here, ["r"], { size: 2 }))).flat(),
    async () => (await Array.fromAsync(inParts(here, ["s"], { after: -1.5, size: 1 }))).flat(),
    () => hasAny(here, ["s"]),
    async () => [(await here.get(["r", 1])).value, await hasAny(here, ["s"])],
  ];
  const write = fc.record({
    isHere: fc.boolean(),
    at: fc.nat({ max: keys.length - 1 }),
    value: fc.option(fc.nat({ max: 2 })),
    asked: fc.subarray(reads.map((_, index) => index)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 12 }), async (writes) => {
      for (const { isHere, at, value, asked } of writes) {
        const key = keys[at] ?? [];
        await (isHere ? here : there).atomic((operation) =>
          value === null ? operation.delete(key) : operation.set(key, value)
        );
        for (const index of asked) {
          const read = reads[index] as () => Promise<unknown>;
          assert.deepEqual(await here.cachedRead(["c", index], read), await read());
        }
      }
    }),
    { numRuns: 40 },
  );
});

Deno.test("a record that another connection writes while it is read is read again", async () => {
  await using stores = await twoConnections();
  const { here, there } = stores;
  await put(there, 1);
  const [isRead, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = here.cachedRead(key, async () => {
    const { value } = await here.get(key);
    isRead.resolve();
    await goOn.promise;
    return value;
  });
  await isRead.promise;
  await put(there, 2);
  goOn.resolve();
  assert.deepEqual(await slow, { list: [1] });
  assert.deepEqual(await reader(here, key).read(), { list: [2] });
});

Deno.test("keys are encoded as the tables of Deno KV have them", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "s.kv");
  const part = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.uint8Array({ maxLength: 9 }),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const kv = await Deno.openKv(path);
  const keys = fc.sample(fc.array(part, { minLength: 1, maxLength: 4 }), 300);
  for (const key of keys) await kv.set(key, 1);
  using database = new DatabaseSync(path, { readOnly: true });
  const question = database.prepare("SELECT count(*) AS count FROM kv WHERE k = ?");
  for (const key of keys) {
    const stored = storedKey(key);
    if (stored) assert.equal(question.get(stored)?.count, 1, Deno.inspect(key));
  }
  assert.equal(storedKey(["a", 1n]), null);
  assert.equal(storedKey(["\ud800"]), null);
  kv.close();
});
