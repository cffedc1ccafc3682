import assert from "node:assert/strict";
import { join } from "node:path";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
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
