import assert from "node:assert/strict";
import { join } from "node:path";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
import { openStore } from "../../../../lib/server/core/kv/store.ts";
import {
  checksumRecords,
  FileChecksums,
} from "../../../../lib/server/features/dav/file_checksums.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { at, enter } from "../../core/access/visitors.ts";

const sha1OfA = "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8";

async function setUp() {
  const root = await temporaryFolder();
  await plant(root.path, { "a.txt": "a", sub: { "c.txt": "c" }, other: {} });
  const store = await openStore(":memory:");
  const gate = new Gate({ root: root.path, reserved: [] });
  const report = (error: unknown) => {
    throw error;
  };
  const open = () => new FileChecksums({ store, gate, report });
  const sums = open();
  const access = enter(root.path);
  const fileAt = (path: string) => ({ place: at(path), info: access.stat(at(path)).info });
  return {
    ...{ store, open, sums, access, fileAt },
    path: (name: string) => join(root.path, name),
    async known(path: string, by = sums) {
      return (await by.known([fileAt(path)]))[0];
    },
    async note(path: string, sha1: string) {
      await sums.note(at(path), fileAt(path).info, { SHA1: sha1 });
    },
    async [Symbol.asyncDispose]() {
      store.close();
      await root[Symbol.asyncDispose]();
    },
  };
}

Deno.test("checksums that were told are known, together with those of other algorithms", async () => {
  await using s = await setUp();
  assert.equal(await s.known("/a.txt"), null);
  await s.note("/a.txt", sha1OfA);
  await s.sums.note(at("/a.txt"), s.fileAt("/a.txt").info, { MD5: "0cc1" });
  assert.deepEqual(await s.known("/a.txt", s.open()), { SHA1: sha1OfA, MD5: "0cc1" });
  const [sub, file] = await s.sums.known([s.fileAt("/sub"), s.fileAt("/a.txt")]);
  assert.deepEqual([sub, file], [null, { SHA1: sha1OfA, MD5: "0cc1" }]);
});

Deno.test("no checksum is known of a file that has changed, however its time is set", async () => {
  await using s = await setUp();
  await s.note("/a.txt", sha1OfA);
  const { atime, mtime } = Deno.statSync(s.path("a.txt"));
  Deno.writeTextFileSync(s.path("a.txt"), "b");
  Deno.utimeSync(s.path("a.txt"), atime as Date, mtime as Date);
  assert.equal(await s.known("/a.txt"), null);
  await s.note("/sub/c.txt", "c0de");
  Deno.writeTextFileSync(s.path("part"), "c");
  Deno.renameSync(s.path("part"), s.path("sub/c.txt"));
  assert.equal(await s.known("/sub/c.txt"), null);
});

Deno.test("nothing is kept of a file that was replaced meanwhile", async () => {
  await using s = await setUp();
  const { info } = s.fileAt("/a.txt");
  Deno.writeTextFileSync(s.path("part"), "b");
  Deno.renameSync(s.path("part"), s.path("a.txt"));
  await s.sums.note(at("/a.txt"), info, { SHA1: sha1OfA });
  assert.equal(await s.known("/a.txt"), null);
});

Deno.test("checksums follow a folder that moves, and a file that the server moves", async () => {
  await using s = await setUp();
  await s.note("/a.txt", sha1OfA);
  await s.note("/sub/c.txt", "c0de");
  Deno.renameSync(s.path("sub"), s.path("other/sub"));
  assert.deepEqual(await s.known("/other/sub/c.txt"), { SHA1: "c0de" });
  Deno.renameSync(s.path("a.txt"), s.path("other/b.txt"));
  await s.sums.follow(s.access, [at("/a.txt"), at("/other/b.txt")]);
  assert.deepEqual(await s.known("/other/b.txt"), { SHA1: sha1OfA });
  assert.equal((await checksumRecords.list(s.store)).length, 2);
});

Deno.test("many checksums of one folder are written and read together", async () => {
  await using s = await setUp();
  const names = Array.from({ length: 300 }, (_, index) => `/other/${index}.bin`);
  for (const name of names) Deno.writeTextFileSync(s.path(name), name);
  await Promise.all(names.map((name, index) => s.note(name, String(index))));
  const known = await s.sums.known(names.map(s.fileAt));
  assert.deepEqual(known.map((sums) => sums?.SHA1), names.map((_, index) => String(index)));
});
