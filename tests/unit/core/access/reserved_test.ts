import assert from "node:assert/strict";
import { join } from "node:path";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
import { isTemporaryName, makeTemporaryName } from "../../../../lib/server/core/access/names.ts";
import { SERVER } from "../../../../lib/server/core/access/viewer.ts";
import { removeEntry } from "../../../../lib/server/files/remove.ts";
import { openListingWorker } from "../../../../lib/server/files/workers/workers.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { assertDenied, assertDeniedLater, at, enter } from "./visitors.ts";

async function setUp(as: Parameters<typeof enter>[1] = {}) {
  const folder = await temporaryFolder();
  await plant(folder.path, {
    "cubby.kv": "store",
    "cubby.kv-wal": "wal",
    "cubby.kv.old": "not the store",
    cache: { "a.webp": "a" },
    data: { "cubby.kv": "another", settings: { "config.json": "{}" } },
  });
  const reserved = ["cubby.kv", "cache", "data/settings/config.json"];
  const access = enter(folder.path, as, reserved.map((name) => join(folder.path, name)));
  return { root: folder.path, access, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

Deno.test("the store, its companions, the cache and the config file are out of everybody's reach", async () => {
  await using s = await setUp({ perm: { admin: true } });
  for (
    const path of [
      ...["/cubby.kv", "/cubby.kv-wal", "/cubby.kv-shm", "/cubby.kv-journal", "/cache"],
      ...["/cache/a.webp", "/cache/none/x", "/data/settings/config.json", "/CUBBY.KV", "/Cache/x"],
    ]
  ) {
    assertDenied(() => s.access.stat(at(path)), "forbidden", path);
    assertDenied(() => s.access.read(at(path)), "forbidden", path);
    assertDenied(() => s.access.create(at(path)), "forbidden", path);
    assertDenied(() => s.access.remove(at(path)), "forbidden", path);
    assertDenied(() => s.access.rename(at(path)), "forbidden", path);
  }
  const names = s.access.folder(at("/")).read().children.map(({ name }) => name).sort();
  assert.deepEqual(names, ["cubby.kv.old", "data"]);
  assert(s.access.stat(at("/data/cubby.kv")).isFile);
});

Deno.test("a link does not lead to the store", async () => {
  await using s = await setUp();
  Deno.symlinkSync("cubby.kv", join(s.root, "link"));
  Deno.symlinkSync("cache", join(s.root, "folder"));
  Deno.symlinkSync("cubby.kv-shm", join(s.root, "not yet"));
  for (const path of ["/link", "/folder", "/folder/a.webp", "/not yet"]) {
    assertDenied(() => s.access.stat(at(path)), "forbidden", path);
    assertDenied(() => s.access.create(at(path)), "forbidden", path);
  }
});

Deno.test("a folder that holds something reserved can't be deleted", async () => {
  await using s = await setUp();
  const listingWorker = openListingWorker();
  try {
    await assertDeniedLater(removeEntry(s.access, listingWorker, at("/data")), "forbidden");
    assert(Deno.lstatSync(join(s.root, "data/settings/config.json")).isFile);
  } finally {
    listingWorker.close();
  }
});

Deno.test("a scope can't be the cache", async () => {
  await using s = await setUp({ scope: "/cache" });
  assertDenied(() => s.access.stat(at("/a.webp")), "forbidden");
});

Deno.test("uploads under way are neither listed nor reached, and do not keep a folder alive", async () => {
  await using s = await setUp();
  const name = makeTemporaryName();
  assert(isTemporaryName(name) && isTemporaryName(name.toUpperCase()));
  assert(!isTemporaryName(".cubby-upload-x") && !isTemporaryName(`${name}0`));
  await plant(join(s.root), { busy: { [name]: "half", "a.txt": "a" } });
  assertDenied(() => s.access.stat(at(`/busy/${name}`)), "forbidden");
  assertDenied(() => s.access.stat(at(`/busy/${name.toUpperCase()}`)), "forbidden");
  assertDenied(() => s.access.create(at(`/busy/${makeTemporaryName()}`)), "forbidden");
  const { children, denied } = s.access.folder(at("/busy")).read();
  assert.deepEqual([children.map(({ name }) => name), denied], [["a.txt"], 0]);
  const listingWorker = openListingWorker();
  try {
    await removeEntry(s.access, listingWorker, at("/busy"));
    assert.throws(() => Deno.lstatSync(join(s.root, "busy")), Deno.errors.NotFound);
  } finally {
    listingWorker.close();
  }
});

Deno.test("a hard link to the store or its log is the store, whatever its name", async () => {
  await using s = await setUp({ perm: { admin: true } });
  await plant(s.root, { folder: {} });
  Deno.linkSync(join(s.root, "cubby.kv"), join(s.root, "folder/photo.jpg"));
  Deno.linkSync(join(s.root, "cubby.kv-wal"), join(s.root, "folder/log.txt"));
  Deno.linkSync(join(s.root, "cubby.kv.old"), join(s.root, "folder/innocent.txt"));
  Deno.symlinkSync("photo.jpg", join(s.root, "folder/link"));
  for (const name of ["photo.jpg", "log.txt", "link"]) {
    const path = at(`/folder/${name}`);
    assertDenied(() => s.access.stat(path), "forbidden", path);
    assertDenied(() => s.access.read(path), "forbidden", path);
    assertDenied(() => s.access.modify(path), "forbidden", path);
    assertDenied(() => s.access.remove(path), "forbidden", path);
    assertDenied(() => s.access.copy(path), "forbidden", path);
  }
  const { children, denied } = s.access.folder(at("/folder")).read();
  assert.deepEqual([children.map(({ name }) => name), denied], [["innocent.txt"], 3]);
});

Deno.test("the program's own files can be read, and changed by no operation", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, {
    program: { lib: { "main.ts": "code" }, "notes.txt": "" },
    mine: { lib: { "main.ts": "evil" } },
  });
  const readOnly = [join(folder.path, "program/lib"), join(folder.path, "program/.env")];
  const access = new Gate({ root: folder.path, reserved: [], readOnly }).enter(SERVER);
  (await access.read(at("/program/lib/main.ts")).open()).close();
  assert.equal(access.folder(at("/program/lib")).read().children.length, 1);
  for (
    const path of ["/program/lib", "/program/lib/main.ts", "/program/lib/new/x", "/program/.env"]
  ) {
    assertDenied(() => access.create(at(path)), "forbidden", path);
    assertDenied(() => access.replace(at(path)), "forbidden", path);
    assertDenied(() => access.receive(at(path)), "forbidden", path);
    assertDenied(() => access.destination(at(path), "Cannot copy"), "forbidden", path);
  }
  for (const path of ["/program/lib", "/program/lib/main.ts", "/program"]) {
    assertDenied(() => access.remove(at(path)), "forbidden", path);
    assertDenied(() => access.rename(at(path)), "forbidden", path);
  }
  assertDenied(() => access.modify(at("/program/lib/main.ts")), "forbidden");
  assertDenied(() => access.destination(at("/program"), "Cannot copy").admit("lib"), "forbidden");
  assert(access.copy(at("/program/lib")).isFolder && access.remove(at("/program/notes.txt")));
});
