import assert from "node:assert/strict";
import { join } from "node:path";
import {
  type FolderFacts,
  KeptFacts,
} from "../../../../../lib/server/features/previews/media/kept_facts.ts";
import type { Facts } from "../../../../../lib/server/core/disk/facts.ts";
import { filesBelow, temporaryFolder } from "../../../../support/disks/files.ts";

const state = (ino: number, size = 10): Facts => ({
  ...{ isFile: true, isDirectory: false, isSymlink: false, size, blocks: 1, mode: 0o100644 },
  ...{ uid: 0, gid: 0, nlink: 1, ino, dev: 1, birthtime: null },
  ...{ atime: new Date(5), mtime: new Date(6), ctime: new Date(7) },
});
const folder = "/srv/photos";
const widthIn = (facts: FolderFacts, name: string, ino = 1) => facts.find(name, state(ino))?.width;

Deno.test("facts stay after a restart, as long as the file is the same", async () => {
  await using cache = await temporaryFolder();
  const before = new KeptFacts(cache.path);
  (await before.of(folder)).keep("a.jpg", state(1), { width: 300, height: 200 }, true);
  await before.save(folder);
  const facts = await new KeptFacts(cache.path).of(folder);
  assert.deepEqual(facts.find("a.jpg", state(1)), { width: 300, height: 200 });
  assert.equal(facts.find("a.jpg", state(1, 11)), undefined);
  assert.equal(facts.find("a.jpg", state(2)), undefined);
  assert.equal((await new KeptFacts(cache.path).of("/srv/other")).count, 0);
});

Deno.test("what a missing program or a timeout left is not kept after a restart", async () => {
  await using cache = await temporaryFolder();
  const before = new KeptFacts(cache.path);
  const facts = await before.of(folder);
  facts.keep("film.mp4", state(1), {}, false);
  facts.keep("a.jpg", state(2), { width: 300 }, true);
  assert.deepEqual(facts.find("film.mp4", state(1)), {});
  await before.save(folder);
  const after = await new KeptFacts(cache.path).of(folder);
  assert.equal(after.find("film.mp4", state(1)), undefined);
  assert.equal(after.count, 1);
});

Deno.test("two writers keep what the other has written", async () => {
  await using cache = await temporaryFolder();
  const [one, other] = [new KeptFacts(cache.path), new KeptFacts(cache.path)];
  (await one.of(folder)).keep("a.jpg", state(1), { width: 1 }, true);
  (await other.of(folder)).keep("b.jpg", state(1), { width: 2 }, true);
  await one.save(folder);
  await other.save(folder);
  for (const kept of [one, other, new KeptFacts(cache.path)]) {
    const facts = await kept.of(folder);
    assert.deepEqual([widthIn(facts, "a.jpg"), widthIn(facts, "b.jpg")], [1, 2]);
  }
});

Deno.test("a folder of more files keeps the latest 20,000, and a damaged file is passed over", async () => {
  await using cache = await temporaryFolder();
  const kept = new KeptFacts(cache.path);
  const facts = await kept.of(folder);
  for (let at = 0; at < 20_050; at++) facts.keep(`${at}.jpg`, state(1), { width: at + 1 }, true);
  assert.equal(facts.count, 20_000);
  assert.equal(widthIn(facts, "20049.jpg"), 20_050);
  assert.equal(widthIn(facts, "49.jpg"), undefined);
  await kept.save(folder);
  for (const name of filesBelow(cache.path)) {
    const text = Deno.readTextFileSync(join(cache.path, name));
    Deno.writeTextFileSync(join(cache.path, name), `${text.slice(0, 90)}, 5]`);
  }
  assert.equal((await new KeptFacts(cache.path).of(folder)).count, 0);
});
