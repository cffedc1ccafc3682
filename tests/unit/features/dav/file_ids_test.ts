import assert from "node:assert/strict";
import { join } from "node:path";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
import { type Facts, unknownFacts } from "../../../../lib/server/core/disk/facts.ts";
import { openStore } from "../../../../lib/server/core/kv/store.ts";
import {
  fileIdRecords,
  FileIds,
  inodeNumber,
} from "../../../../lib/server/features/dav/file_ids.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { mount, smallDisk } from "../../../support/disks/small_disk.ts";
import { at, enter } from "../../core/access/visitors.ts";

async function setUp() {
  const root = await temporaryFolder();
  await plant(root.path, { "a.txt": "a", "b.txt": "b", sub: { "c.txt": "c" } });
  const store = await openStore(":memory:");
  const gate = new Gate({ root: root.path, reserved: [] });
  const report = (error: unknown) => {
    throw error;
  };
  const open = () => new FileIds({ store, gate, report });
  const ids = open();
  const access = enter(root.path);
  const infoOf = (path: string) => access.stat(at(path)).info;
  const idOf = async (path: string, by = ids) => {
    const [id = ""] = await by.idsOf([{ info: infoOf(path), place: at(path) }]);
    assert.match(id, /^\d+$/);
    assert.equal(Number(id) < 2 ** 53, true);
    return id;
  };
  return {
    ...{ root: root.path, store, open, ids, infoOf, idOf },
    path: (name: string) => join(root.path, name),
    /** Replaces a file as an upload does. */
    async replace(path: string, { isKept = false, by = ids } = {}) {
      const former = infoOf(path);
      const file = join(root.path, path);
      Deno.writeTextFileSync(`${file}.part`, "new");
      if (isKept) Deno.linkSync(file, `${file}.kept`);
      Deno.renameSync(`${file}.part`, file);
      await by.replaced({ place: at(path), former, isKept, now: infoOf(path) });
    },
    async [Symbol.asyncDispose]() {
      store.close();
      await root[Symbol.asyncDispose]();
    },
  };
}

Deno.test("an id stays when its entry is renamed or moved, and after a restart", async () => {
  await using s = await setUp();
  const [file, folder] = [await s.idOf("/a.txt"), await s.idOf("/sub")];
  assert.notEqual(file, folder);
  Deno.renameSync(s.path("a.txt"), s.path("sub/renamed.txt"));
  Deno.renameSync(s.path("sub"), s.path("other"));
  assert.equal(await s.idOf("/other/renamed.txt", s.open()), file);
  assert.equal(await s.idOf("/other"), folder);
});

Deno.test("a replaced file keeps its id, in all threads and after moves", async () => {
  await using s = await setUp();
  const other = s.open();
  const id = await s.idOf("/a.txt");
  assert.equal(await s.idOf("/a.txt", other), id);
  for (let round = 0; round < 5; round++) {
    await s.replace("/a.txt", { by: round % 2 ? s.ids : other });
    assert.equal(await s.idOf("/a.txt"), id);
    assert.equal(await s.idOf("/a.txt", other), id);
  }
  Deno.renameSync(s.path("a.txt"), s.path("sub/moved.txt"));
  assert.equal(await s.idOf("/sub/moved.txt", s.open()), id);
});

Deno.test("a version of a replaced file never has the id of the file", async () => {
  await using s = await setUp();
  const id = await s.idOf("/a.txt");
  await s.replace("/a.txt", { isKept: true });
  Deno.renameSync(s.path("a.txt.kept"), s.path("first.txt"));
  await s.replace("/a.txt", { isKept: true });
  const all = await Promise.all(
    ["/a.txt", "/first.txt", "/a.txt.kept"].map((path) => s.idOf(path)),
  );
  assert.equal(all[0], id);
  assert.equal(new Set(all).size, 3);
  // The version comes back in place of the file.
  const former = s.infoOf("/a.txt");
  Deno.renameSync(s.path("a.txt"), s.path("second.txt"));
  Deno.renameSync(s.path("first.txt"), s.path("a.txt"));
  await s.ids.replaced({ place: at("/a.txt"), former, isKept: true, now: s.infoOf("/a.txt") });
  const later = await Promise.all(
    ["/a.txt", "/second.txt", "/a.txt.kept"].map((path) => s.idOf(path)),
  );
  assert.equal(later[0], id);
  assert.equal(new Set(later).size, 3);
});

Deno.test("two names of one file, and a link to it, have ids of their own", async () => {
  await using s = await setUp();
  Deno.linkSync(s.path("a.txt"), s.path("again.txt"));
  Deno.symlinkSync(s.path("sub"), s.path("link"));
  const [link] = await s.ids.idsOf([{
    info: s.infoOf("/link"),
    place: at("/link"),
    isLinked: true,
  }]);
  const all = [await s.idOf("/a.txt"), await s.idOf("/again.txt"), link, await s.idOf("/sub")];
  assert.equal(new Set(all).size, 4);
  await s.replace("/again.txt");
  assert.equal(await s.idOf("/again.txt"), all[1]);
});

Deno.test("records of many replacements are merged, and change no id", async () => {
  await using s = await setUp();
  const id = await s.idOf("/a.txt");
  const kept = await s.idOf("/b.txt");
  await s.replace("/b.txt");
  for (let round = 0; round < 120; round++) await s.replace("/a.txt");
  await s.ids.removeExpired();
  await s.ids.removeExpired();
  assert.equal((await fileIdRecords.list(s.store)).length <= 2, true);
  for (const by of [s.ids, s.open()]) {
    assert.equal(await s.idOf("/a.txt", by), id);
    assert.equal(await s.idOf("/b.txt", by), kept);
  }
  await s.replace("/a.txt", { by: s.open() });
  assert.equal(await s.idOf("/a.txt"), id);
});

Deno.test("replacements at the same moment, by several threads, lose none", async () => {
  await using s = await setUp();
  const names = Array.from({ length: 40 }, (_, index) => `/f${index}`);
  for (const name of names) Deno.writeTextFileSync(s.path(name), name);
  const before = await Promise.all(names.map((name) => s.idOf(name)));
  const threads = [s.ids, s.open(), s.open()];
  await Promise.all(
    names.map((name, index) => s.replace(name, { by: threads[index % 3] ?? s.ids })),
  );
  assert.deepEqual(await Promise.all(names.map((name) => s.idOf(name))), before);
});

/** Facts of a file on the disk of another. */
const factsBeside = ({ dev }: Facts, facts: Partial<Facts>): Facts => ({
  ...unknownFacts("file"),
  ...{ dev, nlink: 1, ...facts },
});

Deno.test("without birth times, an inode that comes again has neither id of two files", async () => {
  await using s = await setUp();
  const idOf = async (info: Facts, by = s.ids) => (await by.idsOf([{ info, place: at("/x") }]))[0];
  const unborn = (ino: number) => factsBeside(s.infoOf("/a.txt"), { ino, birthtime: null });
  const [old, now] = [unborn(1_000), unborn(1_001)];
  const id = await idOf(old);
  await s.ids.replaced({ place: at("/x"), former: old, isKept: false, now });
  assert.equal(await idOf(now), id);
  assert.notEqual(await idOf(old), id, "a new file has got the inode of the former one");
  const gone = unborn(2_000);
  const seen = new Set([id]);
  for (let round = 0; round < 5; round++) {
    const other = s.open();
    assert.ok(!seen.has(await idOf(gone)));
    assert.equal(await idOf(gone, other), await idOf(gone));
    seen.add(await idOf(gone));
    await (round % 2 ? other : s.ids).removed(at("/x"), gone);
  }
  const born = s.infoOf("/b.txt");
  const before = await idOf(born);
  const records = await fileIdRecords.list(s.store);
  await s.ids.removed(at("/b.txt"), born);
  assert.equal(await idOf(born), before);
  assert.equal((await fileIdRecords.list(s.store)).length, records.length, "nothing is noted");
});

Deno.test("ids follow thousands of entries to another disk and back, in all threads", async () => {
  await using s = await setUp();
  const other = s.open();
  const info = s.infoOf("/a.txt");
  const birthtime = new Date(1_700_000_000_000);
  const inodes = (first: number) =>
    Array.from(
      { length: 2_000 },
      (_, index) => factsBeside(info, { ino: first + index, birthtime }),
    );
  const [here, there, back] = [inodes(10_000), inodes(20_000), inodes(30_000)];
  const idsOf = (of: Facts[], by = s.ids) =>
    by.idsOf(of.map((info) => ({ info, place: at("/x") })));
  const before = await idsOf(here);
  const move = async (from: Facts[], to: Facts[], by: FileIds) => {
    const moved = from.map((former, index) => ({ former, now: to[index] ?? former }));
    const parts = Array.from({ length: 8 }, (_, part) => moved.slice(part * 250, part * 250 + 250));
    await Promise.all(
      parts.map((inodes) => by.moved({ from: at("/x"), to: at("/sub"), inodes })),
    );
  };
  await move(here, there, s.ids);
  assert.deepEqual(await idsOf(there, other), before);
  await move(there, back, other);
  for (const by of [s.ids, other, s.open()]) {
    assert.deepEqual(await idsOf(back, by), before);
    const all = [...before, ...await idsOf(here, by), ...await idsOf(there, by)];
    assert.equal(new Set(all).size, 6_000, "the former inodes have ids of their own");
  }
  await s.ids.removeExpired();
  assert.deepEqual(await idsOf(back, s.open()), before);
  for (const { ids } of await fileIdRecords.list(s.store)) {
    assert.ok(ids.length <= 500);
  }
});

Deno.test("one name among several takes no id of the others to another disk", async () => {
  await using s = await setUp();
  const former = factsBeside(s.infoOf("/a.txt"), { ino: 50_000, nlink: 2 });
  const now = factsBeside(former, { ino: 50_001 });
  await s.ids.moved({ from: at("/x"), to: at("/sub"), inodes: [{ former, now }] });
  assert.equal((await fileIdRecords.list(s.store)).length, 0);
});

Deno.test("inodes in a row have different numbers", () => {
  const numbers = new Set<number>();
  const info = { birthtime: new Date(1_700_000_000_000) } as never as Parameters<
    typeof inodeNumber
  >[0];
  for (let ino = 1; ino <= 200_000; ino++) numbers.add(inodeNumber({ ...info, ino }));
  assert.equal(numbers.size, 200_000);
});

Deno.test({
  name: "parts of one disk, mounted at several places, have lasting ids of their own",
  ignore: Deno.build.os !== "linux" || Deno.uid() !== 0,
  async fn() {
    await using s = await setUp();
    await using disk = await smallDisk("size=1m");
    await plant(disk.path, { "same.txt": "same", sub: { "in.txt": "in" } });
    const points = ["one", "two", "part"].map(s.path);
    for (const point of points) Deno.mkdirSync(point);
    await mount("--bind", disk.path, points[0] ?? "");
    await mount("--bind", disk.path, points[1] ?? "");
    await mount("--bind", join(disk.path, "sub"), points[2] ?? "");
    try {
      const paths = ["/one", "/one/same.txt", "/two", "/two/same.txt", "/part", "/part/in.txt"];
      const ids = await Promise.all(paths.map((path) => s.idOf(path)));
      assert.equal(new Set(ids).size, paths.length);
      // Another thread, which is asked in another order.
      const other = s.open();
      const again: string[] = [];
      for (const path of paths.toReversed()) again.unshift(await s.idOf(path, other));
      assert.deepEqual(again, ids);
      Deno.renameSync(s.path("one/same.txt"), s.path("one/sub/renamed.txt"));
      assert.equal(await s.idOf("/one/sub/renamed.txt"), ids[1]);
    } finally {
      for (const point of points) await new Deno.Command("umount", { args: [point] }).output();
    }
  },
});
