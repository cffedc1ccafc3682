import assert from "node:assert/strict";
import { join } from "node:path";
import { commitChange } from "../../../lib/server/kv/commit.ts";
import { schemaKey } from "../../../lib/server/kv/keys/server.ts";
import { userCountsKey } from "../../../lib/server/kv/keys/users.ts";
import { migrate, migrations } from "../../../lib/server/kv/schema.ts";
import { openStore } from "../../../lib/server/kv/store.ts";
import { temporaryFolder } from "../../support/disks/files.ts";

const counterKey = ["counter"];

Deno.test("openStore() refuses a server without encryption", async () => {
  await assert.rejects(openStore("http://store.example/"), /records travel under https only/);
});

Deno.test("openStore() refuses a store that a newer program wrote, and leaves it closed", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "newer.kv");
  const store = await openStore(path);
  await store.atomic((operation) => operation.set(schemaKey(), migrations.length + 1));
  store.close();
  await assert.rejects(openStore(path), /its schema is version 2, this program knows 1/);
});

Deno.test("openStore() makes a file that nobody else can read", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  const store = await openStore(path);
  await store.atomic((operation) => operation.set(["a"], 1));
  for await (const { name } of Deno.readDir(folder.path)) {
    const { mode } = await Deno.stat(join(folder.path, name));
    assert.equal((mode ?? 0) & 0o077, 0, name);
  }
  store.close();
});

Deno.test("openStore() keeps what was stored before", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  const before = await openStore(path);
  await before.atomic((operation) => operation.set(["a"], "kept"));
  before.close();
  const after = await openStore(path);
  assert.equal((await after.get(["a"])).value, "kept");
  after.close();
});

Deno.test("migrate() runs each step once, however many open the store at once", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(path)));
  const count: (step: bigint) => typeof migrations[number] = (step) => (operation) =>
    operation.sum(counterKey, step);
  const steps = [...migrations, count(1n), count(10n), count(100n)];
  await Promise.all(stores.map((store) => migrate(store, steps)));
  const [first] = stores;
  assert.equal((await first?.get<Deno.KvU64>(counterKey))?.value?.value, 111n);
  assert.equal((await first?.get(schemaKey()))?.value, steps.length);
  for (const store of stores) store.close();
});

Deno.test("a new store has an empty roster of users", async () => {
  const store = await openStore(":memory:");
  assert.deepEqual((await store.get(userCountsKey())).value, { nextId: 1, users: 0, admins: 0 });
  store.close();
});

Deno.test("commitChange() loses no update of two stores on one file", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  const stores = await Promise.all([openStore(path), openStore(path)]);
  const increments = stores.flatMap((store) =>
    Array.from({ length: 20 }, () =>
      commitChange(store, async () => {
        const entry = await store.get<number>(counterKey);
        const next = (entry.value ?? 0) + 1;
        return { result: next, build: (op) => op.check(entry).set(counterKey, next) };
      }))
  );
  const results = await Promise.all(increments);
  assert.deepEqual(results.sort((a, b) => a - b), Array.from({ length: 40 }, (_, i) => i + 1));
  for (const store of stores) store.close();
});

Deno.test("several threads open and write one new file at once", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  const url = new URL("./writer_thread.ts", import.meta.url);
  const threads = [1, 2, 3, 4].map(() => new Worker(url, { type: "module" }));
  await Promise.all(threads.map((thread) =>
    new Promise<void>((resolve, reject) => {
      thread.onmessage = ({ data }) => data === "done" ? resolve() : reject(new Error(data));
      thread.postMessage({ path, writes: 25 });
    })
  ));
  for (const thread of threads) thread.terminate();
  const store = await openStore(path);
  assert.equal((await store.get<number>(counterKey)).value, 100);
  store.close();
});
