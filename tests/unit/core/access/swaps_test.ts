import assert from "node:assert/strict";
import { join } from "node:path";
import { DomainError } from "../../../../lib/shared/errors.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { assertDenied, assertDeniedLater, at, enter } from "./visitors.ts";

async function setUp() {
  const folder = await temporaryFolder();
  await plant(folder.path, {
    outside: { "a.txt": "outside" },
    root: { sub: { "a.txt": "inside" }, "b.txt": "b" },
  });
  const root = join(folder.path, "root");
  const swap = () => {
    Deno.renameSync(join(root, "sub"), join(root, "moved away"));
    Deno.symlinkSync(join(folder.path, "outside"), join(root, "sub"));
  };
  return {
    folder,
    root,
    access: enter(root),
    swap,
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

Deno.test("a folder that becomes a link out after the check is refused when the file is opened", async () => {
  await using s = await setUp();
  const handle = s.access.read(at("/sub/a.txt"));
  s.swap();
  await assertDeniedLater(handle.open(), "forbidden");
  assertDenied(() => handle.openSync(), "forbidden");
});

Deno.test("a file that becomes a link out after the check is refused when it is opened", async () => {
  await using s = await setUp();
  const handle = s.access.read(at("/b.txt"));
  Deno.removeSync(join(s.root, "b.txt"));
  Deno.symlinkSync("../outside/a.txt", join(s.root, "b.txt"));
  await assertDeniedLater(handle.open(), "forbidden");
  assert.throws(() => handle.openSync(), DomainError);
});

Deno.test("a file that is replaced after the check is opened as it is now", async () => {
  await using s = await setUp();
  const handle = s.access.read(at("/b.txt"));
  Deno.writeTextFileSync(join(s.root, "new"), "replaced");
  Deno.renameSync(join(s.root, "new"), join(s.root, "b.txt"));
  using file = await handle.open();
  const buffer = new Uint8Array(20);
  assert.equal(await file.read(buffer), 8);
  assert.equal(handle.info.size, 8);
  using again = handle.openSync();
  assert.equal(again.read(buffer, 0), 8);
});

Deno.test("a pipe laid in place of a file after the check is not waited for", async () => {
  await using s = await setUp();
  const handle = s.access.read(at("/b.txt"));
  Deno.removeSync(join(s.root, "b.txt"));
  await new Deno.Command("mkfifo", { args: [join(s.root, "b.txt")] }).output();
  assertDenied(() => handle.openSync(), "not_a_file");
});

Deno.test("a folder that becomes a link out is not read, nor are its entries looked at", async () => {
  await using s = await setUp();
  const folder = s.access.folder(at("/sub"));
  s.swap();
  assertDenied(() => folder.read(), "forbidden");
});

Deno.test("a file that becomes a link out after the folder was read is not looked at", async () => {
  await using s = await setUp();
  const folder = s.access.folder(at("/"));
  const { children } = folder.read();
  using open = folder.open();
  Deno.removeSync(join(s.root, "b.txt"));
  Deno.symlinkSync("../outside", join(s.root, "b.txt"));
  s.swap();
  for (const child of children) {
    assert.equal(folder.stat(child, open), null, child.name);
    assert.equal(folder.enter(child), null, child.name);
  }
});

Deno.test("a folder that becomes a link out takes no upload and loses no entry", async () => {
  await using s = await setUp();
  const write = s.access.create(at("/sub/new.txt"));
  const removal = s.access.remove(at("/sub/a.txt"));
  s.swap();
  assertDenied(() => write.open(), "forbidden");
  await assertDeniedLater(removal.removeSingle(), "forbidden");
  assert.deepEqual([...Deno.readDirSync(join(s.folder.path, "outside"))].map(({ name }) => name), [
    "a.txt",
  ]);
});

Deno.test("a folder that becomes a link to another folder inside takes no upload either", async () => {
  await using s = await setUp();
  const linked = s.access.create(at("/sub/new.txt"));
  Deno.renameSync(join(s.root, "sub"), join(s.root, "moved away"));
  Deno.symlinkSync("moved away", join(s.root, "sub"));
  assertDenied(() => linked.open(), "forbidden");
});

Deno.test("an entry that is replaced by another after the check is not removed", async () => {
  await using s = await setUp();
  const removal = s.access.remove(at("/b.txt"));
  Deno.writeTextFileSync(join(s.root, "new"), "replaced");
  Deno.renameSync(join(s.root, "new"), join(s.root, "b.txt"));
  await assertDeniedLater(removal.removeSingle(), "not_found");
  assert.equal(Deno.readTextFileSync(join(s.root, "b.txt")), "replaced");
});
