import assert from "node:assert/strict";
import { join } from "node:path";
import { FolderSizes } from "../../../../lib/server/features/folder_sizes/folder_sizes.ts";
import { openListingWorker } from "../../../../lib/server/files/workers/workers.ts";
import type { NamedSize } from "../../../../lib/shared/schemas/size.ts";
import { filesBelow, plant, temporaryFolder } from "../../../support/disks/files.ts";
import { at, enter } from "../../core/access/visitors.ts";

/** Folder sizes with a clock of their own, and what was measured so far. */
async function setUp() {
  const root = await temporaryFolder();
  const cache = await temporaryFolder();
  await plant(root.path, { a: { deep: { "one.bin": "12345" } }, b: { "two.bin": "123" } });
  const worker = openListingWorker();
  const clock = { ms: Date.now() };
  const measured: string[] = [];
  const listingWorker = {
    measureEach: (...args: Parameters<typeof worker.measureEach>) => {
      measured.push(...args[0].names);
      return worker.measureEach(...args);
    },
  };
  const open = () => new FolderSizes({ cacheDir: cache.path, listingWorker, now: () => clock.ms });
  const read = async (
    sizes: FolderSizes,
    names?: string[],
    signal = new AbortController().signal,
  ) => {
    const lines: NamedSize[] = [];
    for await (const line of sizes.measure(enter(root.path), at("/"), names, signal)) {
      lines.push(line);
    }
    return lines.map(({ name, bytes }) => `${name} ${bytes}`);
  };
  return {
    ...{ root: root.path, cache: cache.path, clock, measured, open, read },
    async [Symbol.asyncDispose]() {
      worker.close();
      await root[Symbol.asyncDispose]();
      await cache[Symbol.asyncDispose]();
    },
  };
}

Deno.test("totals are kept, also by the next start, and counted again when they are old", async () => {
  await using s = await setUp();
  assert.deepEqual(await s.read(s.open(), ["a", "b"]), ["a 5", "b 3"]);
  const next = s.open();
  assert.deepEqual(await s.read(next, ["a", "b"]), ["a 5", "b 3"]);
  assert.deepEqual(s.measured, ["a", "b"], "nothing was measured again");
  // Far below, by another program: no time of the folder itself tells of it.
  Deno.writeTextFileSync(join(s.root, "a/deep/more.bin"), "1234567");
  s.clock.ms += 9_000;
  assert.deepEqual(await s.read(next, ["a"]), ["a 5"]);
  s.clock.ms += 60 * 60_000;
  assert.deepEqual(await s.read(next, ["a"]), ["a 5", "a 12"]);
});

Deno.test("a change of the server's own is counted at once, however far below", async () => {
  await using s = await setUp();
  const sizes = s.open();
  await s.read(sizes, ["a", "b"]);
  Deno.writeTextFileSync(join(s.root, "a/deep/more.bin"), "1234567");
  sizes.notifyChanged(enter(s.root), at("/a/deep/more.bin"));
  s.clock.ms += 1;
  assert.deepEqual(await s.read(sizes, ["a", "b"]), ["a 5", "b 3", "a 12"]);
  assert.deepEqual(s.measured, ["a", "b", "a"]);
});

Deno.test("two who look at one folder have it measured once", async () => {
  await using s = await setUp();
  const sizes = s.open();
  const both = await Promise.all([s.read(sizes, ["a", "b"]), s.read(sizes, ["b", "a"])]);
  assert.deepEqual(both.map((lines) => lines.toSorted()), [["a 5", "b 3"], ["a 5", "b 3"]]);
  assert.deepEqual(s.measured.toSorted(), ["a", "b"]);
});

Deno.test("who waits for a measurement that was left off measures it", async () => {
  await using s = await setUp();
  const sizes = s.open();
  const leaving = new AbortController();
  const left = s.read(sizes, ["a"], leaving.signal);
  const other = s.read(sizes, ["a"]);
  leaving.abort();
  await assert.rejects(left, { name: "AbortError" });
  assert.deepEqual(await other, ["a 5"]);
});

Deno.test("a damaged file of the cache is as good as none", async () => {
  await using s = await setUp();
  await s.read(s.open(), ["a"]);
  for (const name of filesBelow(s.cache)) {
    for (const text of ['[["a",{"bytes":1}],3,null]', '[["a"', '{"a":1}']) {
      Deno.writeTextFileSync(join(s.cache, name), text);
      assert.deepEqual(await s.read(s.open(), ["a"]), ["a 5"], text);
    }
  }
});
