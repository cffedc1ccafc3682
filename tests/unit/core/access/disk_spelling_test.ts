import assert from "node:assert/strict";
import { join } from "node:path";
import { asRealPath } from "../../../../lib/server/core/disk/real_path.ts";
import { foldsNames, spellingOf } from "../../../../lib/server/core/access/disk_spelling.ts";
import { isSafeOnDisk } from "../../../../lib/server/core/access/names.ts";
import { disk } from "../../../../lib/server/core/disk/this_disk.ts";
import { deny } from "../../../support/data/rules.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { foldCase } from "../../../support/disks/folding_disk.ts";
import { assertDenied, at, enter } from "./visitors.ts";

/** What this machine's temporary folder does, found out in another way. */
async function foldsCase(folder: string): Promise<boolean> {
  await plant(folder, { Probe: "" });
  const folds = await Deno.stat(join(folder, "pROBE")).then(() => true, () => false);
  await Deno.remove(join(folder, "Probe"));
  return folds;
}

// What is known of a folder is kept by its inode, which no other may get in these milliseconds.
const all = await temporaryFolder();
Deno.test.afterAll(async () => await all[Symbol.asyncDispose]());
const newFolder = () => Deno.makeTempDirSync({ dir: all.path });

/** Empty folders: on this machine's disk, and on one that folds case. */
async function* folders() {
  const [path, folded] = [newFolder(), newFolder()];
  yield { path, folds: await foldsCase(path) };
  using _ = foldCase(folded);
  yield { path: folded, folds: true };
}

Deno.test("foldsNames() says what the file system does", async () => {
  for await (const { path, folds } of folders()) {
    await plant(path, { "a.txt": "", "é": "", "12": "" });
    using open = disk.folder(path);
    assert.equal(foldsNames(open, "12"), false);
    assert.equal(foldsNames(open, "é"), folds);
    assert.equal(foldsNames(open, "a.txt"), folds);
    assert.equal(foldsNames(open, "gone.txt"), folds);
  }
});

Deno.test("two links to one file under both spellings are not taken for folding", async () => {
  for await (const { path, folds } of folders()) {
    await plant(path, { "a.txt": "" });
    if (!folds) Deno.linkSync(join(path, "a.txt"), join(path, "A.TXT"));
    using open = disk.folder(path);
    assert.equal(foldsNames(open, "a.txt"), folds);
  }
});

Deno.test("a path keeps its spelling where case counts, and takes the disk's where not", async () => {
  for await (const { path, folds } of folders()) {
    await plant(path, { Sub: { "File.txt": "" } });
    const asked = asRealPath(join(path, folds ? "sUB/fILE.txt" : "Sub/File.txt"));
    assert.deepEqual(spellingOf(asked, asRealPath(path)), {
      real: join(path, "Sub/File.txt"),
      caseInsensitive: folds,
    });
  }
});

Deno.test("where the disk folds case, a rule holds for every spelling of what it names", async () => {
  const path = newFolder();
  await plant(path, { Private: { "a.txt": "a", sub: {} }, open: { "b.txt": "b" } });
  using _ = foldCase(path);
  const access = enter(path, { rules: [deny("/Private"), deny("/open/b.txt")] });
  for (const top of ["/Private", "/private", "/PRIVATE", "/pRIVATE"]) {
    assertDenied(() => access.folder(at(top)), "forbidden", top);
    for (const name of ["a.txt", "A.TXT", "none"]) {
      assertDenied(() => access.read(at(`${top}/${name}`)), "forbidden", `${top}/${name}`);
      assertDenied(() => access.create(at(`${top}/sub/${name}`)), "forbidden", `${top}/${name}`);
    }
  }
  assertDenied(() => access.read(at("/OPEN/B.TXT")), "forbidden");
  assert.deepEqual(access.folder(at("/OPEN")).read().children.map(({ name }) => name), []);
});

Deno.test("on Windows, names that lead elsewhere are no names", () => {
  for (const name of ["..\\x", "a:stream", "C:", "dot.", "space ", "a*", "a\nb"]) {
    assert.equal(isSafeOnDisk(name, "windows"), false, name);
    assert.equal(isSafeOnDisk(name, "linux"), true, name);
  }
  assert(isSafeOnDisk("日本 #%.txt", "windows"));
});
