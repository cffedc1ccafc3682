/** The trash of a user with very many entries, and how much is read for a part of it. */
import assert from "node:assert/strict";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import {
  makeTrashId,
  maxSearched,
  type TrashedEntry,
  type TrashPart,
  TrashRecords,
  trashRecords,
} from "../../../lib/server/files/trash/trash_records.ts";
import { nameOf, parsePath, ROOT } from "../../../lib/shared/path.ts";
import type { Store } from "../../../lib/server/core/kv/store.ts";
import { inBatches } from "../../support/data/many_records.ts";
import { countReads } from "../../support/records/count_reads.ts";

const userId = 1;
const odd = "/d/#%?日本 `.txt";
const begin = Date.now() - 1e9;

/** Versions of one file, with a few of another one's and as many deleted entries between them. */
async function fill(store: Store, count: number): Promise<void> {
  await inBatches(store, count, (operation, index) => {
    const place = index % 2_400;
    const [path, isVersion] = place === 7
      ? [odd, true]
      : place === 8
      ? [`/gone-${index}.txt`, false]
      : ["/often.txt", true];
    const entry: TrashedEntry = {
      ...{ id: makeTrashId(begin + index), userId, path: parsePath(path).path, isDir: false },
      ...{ size: 1, at: begin + index, top: ROOT, ino: index },
      ...isVersion && { isVersion },
    };
    trashRecords.put(operation, [userId, entry.id], entry);
  });
}

/** More than one answer searches. */
const count = maxSearched + 2_000;
const { store, takeCount } = countReads(await openStore(":memory:"));
Deno.test.afterAll(() => store.close());
const records = new TrashRecords(store);
await fill(store, count);

/** All parts, and how much was read for each. */
async function read(part: Omit<TrashPart, "before">) {
  const found: TrashedEntry[] = [];
  const counts: number[] = [];
  let before: string | undefined;
  do {
    takeCount();
    const { entries, next } = await records.page(userId, { ...part, before });
    counts.push(takeCount());
    found.push(...entries);
    before = next ?? undefined;
  } while (before !== undefined);
  const ids = found.map(({ id }) => id);
  assert.deepEqual(ids, [...new Set(ids)].toSorted().reverse(), "each once, the latest first");
  return { found, counts };
}

Deno.test("of very many versions, those of one file are read alone", async () => {
  const { found, counts } = await read({ of: parsePath(odd).path, limit: 100 });
  assert.deepEqual(found.map(({ path, ino }) => [path, ino]), [
    ...[9_607, 7_207, 4_807, 2_407, 7].map((ino) => [odd, ino]),
  ]);
  assert.deepEqual(counts, [10]);
  const some = await read({ of: parsePath(odd).path, limit: 2 });
  assert.equal(some.found.length, 5);
  assert.deepEqual(some.counts, [4, 4, 2]);
  assert.deepEqual((await read({ of: parsePath("/none.txt").path, limit: 2 })).counts, [0]);
});

Deno.test("among very many versions, the deleted entries are read alone", async () => {
  const { found, counts } = await read({ of: "deleted", limit: 100 });
  assert.deepEqual(found.map(({ path }) => path), [
    ...[9_608, 7_208, 4_808, 2_408, 8].map((index) => `/gone-${index}.txt`),
  ]);
  assert.deepEqual(counts, [10]);
});

Deno.test("a search reads a bounded number of entries, and says where it goes on", async () => {
  const isFound = ({ path }: TrashedEntry) => nameOf(path) === "gone-8.txt";
  const { found, counts } = await read({ of: "deleted", limit: 100, isFound });
  assert.deepEqual(found.map(({ path }) => path), ["/gone-8.txt"]);
  assert.deepEqual(counts, [maxSearched, count - maxSearched]);
  const { found: all } = await read({ of: "all", limit: 1_000 });
  assert.equal(all.length, count);
});

Deno.test("what is forgotten leaves nothing", async () => {
  const store = await openStore(":memory:");
  try {
    const records = new TrashRecords(store);
    await fill(store, 2_500);
    const partOf = async (of: TrashPart["of"]) =>
      (await records.page(userId, { of, limit: 100 })).entries;
    const forgotten = [...await partOf(parsePath(odd).path), ...await partOf("deleted")];
    assert.equal(forgotten.length, 4);
    await records.forget(forgotten);
    assert.deepEqual(await partOf(parsePath(odd).path), []);
    assert.deepEqual(await partOf("deleted"), []);
    assert.equal((await records.list(userId)).length, 2_496);
    assert.equal((await store.list(["trash_files"])).length, 2_496);
  } finally {
    store.close();
  }
});
