import assert from "node:assert/strict";
import { join } from "node:path";
import { commitChange } from "../../../../lib/server/core/kv/commit.ts";
import { migrate, type Migration, migrations } from "../../../../lib/server/core/kv/schema.ts";
import { openStore, type Store } from "../../../../lib/server/core/kv/store.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";
import { backfillProgress, schemaVersion } from "../../../../lib/server/core/kv/server_records.ts";
import { userCounts } from "../../../../lib/server/features/accounts/users/user_counts.ts";

const counterKey = ["counter"];

Deno.test("openStore() refuses a server without encryption", async () => {
  await assert.rejects(openStore("http://store.example/"), /records travel under https only/);
});

Deno.test("openStore() refuses a store that a newer program wrote, and leaves it closed", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "newer.kv");
  const store = await openStore(path);
  await store.atomic((operation) => operation.set(schemaVersion.key(), migrations.length + 1));
  store.close();
  await assert.rejects(openStore(path), /its schema is version (\d+), this program knows/);
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
  const count = (step: bigint): Migration => ({
    change: (operation) => operation.sum(counterKey, step),
  });
  const steps = [...migrations, count(1n), count(10n), count(100n)];
  await Promise.all(stores.map((store) => migrate(store, steps)));
  const [first] = stores;
  assert.equal((await first?.get<Deno.KvU64>(counterKey))?.value?.value, 111n);
  assert.equal((await first?.get(schemaVersion.key()))?.value, steps.length);
  for (const store of stores) store.close();
});

/** An index of numbered records by their names, for a store that has records without it. */
const indexing: Migration = {
  backfill: {
    name: "things",
    prefix: ["things"],
    change: (operation, { key, value }) =>
      operation.set(["thing_names", (value as { name: string }).name], key[1]),
  },
};

async function plantThings(store: Store, count: number): Promise<void> {
  for (let start = 0; start < count; start += 100) {
    await store.atomic((operation) => {
      for (let id = start; id < Math.min(start + 100, count); id++) {
        operation.set(["things", id], { name: `thing ${id}` });
      }
      return operation;
    });
  }
}

async function assertIndexed(store: Store, count: number): Promise<void> {
  const index = await store.list<number>(["thing_names"]);
  assert.equal(index.length, count);
  assert.ok(index.every(({ key, value }) => key[1] === `thing ${value}`));
  assert.equal((await store.get(backfillProgress.key())).value, null);
  assert.equal((await store.get(schemaVersion.key())).value, migrations.length + 1);
}

for (const count of [0, 1, 989, 990, 991, 10_000, 10_001]) {
  Deno.test(`migrate() fills an index for ${count} records, after it raised the version`, async () => {
    const store = await openStore(":memory:");
    await plantThings(store, count);
    await migrate(store, [...migrations, indexing]);
    await assertIndexed(store, count);
    store.close();
  });
}

Deno.test("migrate() resumes an index after a kill at any operation, refusing older programs", async () => {
  for (let last = 1; last <= 4; last++) {
    const store = await openStore(":memory:");
    await plantThings(store, 2_100);
    let operations = 0;
    const dying: Store = {
      ...store,
      atomic(build) {
        if (++operations > last) throw new Error("killed");
        return store.atomic(build);
      },
    };
    const isDone = await migrate(dying, [...migrations, indexing]).then(() => true, () => false);
    assert.equal(isDone, last === 4, "one for the version, three for the batch");
    await assert.rejects(migrate(store), /its schema is version/);
    await migrate(store, [...migrations, indexing]);
    await assertIndexed(store, 2_100);
    store.close();
  }
});

/** A change of the records themselves. */
const upgrading: Migration = {
  backfill: {
    name: "things",
    prefix: ["things"],
    change: (writes, { key, value }) => writes.set(key, { ...value as object, isNew: true }),
  },
};

Deno.test("migrate() brings back no record that is removed meanwhile", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  const stores = await Promise.all([1, 2, 3].map(() => openStore(path)));
  const [first] = stores;
  assert.ok(first);
  await plantThings(first, 400);
  // A process of a former version that is still running.
  const removing = (async () => {
    for (let id = 0; id < 400; id += 10) await first.atomic((all) => all.delete(["things", id]));
  })();
  await Promise.all(stores.map((store) => migrate(store, [...migrations, upgrading])));
  await removing;
  const things = await first.list<{ isNew?: boolean }>(["things"]);
  assert.equal(things.length, 360);
  assert.ok(things.every(({ value }) => value.isNew));
  for (const store of stores) store.close();
});

Deno.test("migrate() reports the progress of a long one every few seconds", async () => {
  const store = await openStore(":memory:");
  await plantThings(store, 10_500);
  const slow: Store = {
    ...store,
    atomic(build) {
      passed += 1_000;
      return store.atomic(build);
    },
  };
  const { now } = performance;
  let passed = 0;
  performance.now = () => passed;
  const lines: string[] = [];
  try {
    await migrate(slow, [...migrations, indexing], (line) => lines.push(line));
  } finally {
    performance.now = now;
  }
  assert.equal(lines.length, 4, lines.join());
  const [first = ""] = lines;
  assert.match(first, /^Migrating things: \d,\d{3} of 10,500$/);
  await migrate(store, [...migrations, indexing], (line) => lines.push(line));
  assert.equal(lines.length, 4, "there is nothing left to do");
  store.close();
});

Deno.test("openStore() leaves the schema of a former version where that is asked for", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  const former = await openStore(path);
  await former.atomic((operation) => operation.set(schemaVersion.key(), 1));
  former.close();
  const kept = await openStore(path, { keepsSchema: true });
  assert.equal((await kept.get(schemaVersion.key())).value, 1);
  await kept.atomic((operation) => operation.set(schemaVersion.key(), migrations.length + 1));
  kept.close();
  await assert.rejects(openStore(path, { keepsSchema: true }), /its schema is version/);
});

Deno.test("a new store has an empty roster of users", async () => {
  const store = await openStore(":memory:");
  assert.deepEqual((await store.get(userCounts.key())).value, { nextId: 1, users: 0, admins: 0 });
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
