import assert from "node:assert/strict";
import { join } from "node:path";
import { asRealPath } from "../../../lib/server/disk/real_path.ts";
import { foldsNames, spellingOf } from "../../../lib/server/access/disk_spelling.ts";
import { isSafeOnDisk } from "../../../lib/server/access/names.ts";
import { disk } from "../../../lib/server/disk/this_disk.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";

/** What this machine's temporary folder does, found out in another way. */
async function foldsCase(folder: string): Promise<boolean> {
  await plant(folder, { Probe: "" });
  const folds = await Deno.stat(join(folder, "pROBE")).then(() => true, () => false);
  await Deno.remove(join(folder, "Probe"));
  return folds;
}

Deno.test("foldsNames() says what the file system does", async () => {
  await using folder = await temporaryFolder();
  const folds = await foldsCase(folder.path);
  await plant(folder.path, { "a.txt": "", "é": "", "12": "" });
  using open = disk.folder(folder.path);
  assert.equal(foldsNames(open, "12"), false);
  assert.equal(foldsNames(open, "é"), folds);
  assert.equal(foldsNames(open, "a.txt"), folds);
  assert.equal(foldsNames(open, "gone.txt"), folds);
});

Deno.test("two links to one file under both spellings are not taken for folding", async () => {
  await using folder = await temporaryFolder();
  const folds = await foldsCase(folder.path);
  await plant(folder.path, { "a.txt": "" });
  if (!folds) Deno.linkSync(join(folder.path, "a.txt"), join(folder.path, "A.TXT"));
  using open = disk.folder(folder.path);
  assert.equal(foldsNames(open, "a.txt"), folds);
});

Deno.test("a path keeps its spelling where case counts, and takes the disk's where not", async () => {
  await using folder = await temporaryFolder();
  const folds = await foldsCase(folder.path);
  await plant(folder.path, { Sub: { "File.txt": "" } });
  const root = asRealPath(folder.path);
  const asked = asRealPath(join(folder.path, folds ? "sUB/fILE.txt" : "Sub/File.txt"));
  assert.deepEqual(spellingOf(asked, root), {
    real: join(folder.path, "Sub/File.txt"),
    caseInsensitive: folds,
  });
});

Deno.test("on Windows, names that lead elsewhere are no names", () => {
  for (const name of ["..\\x", "a:stream", "C:", "dot.", "space ", "a*", "a\nb"]) {
    assert.equal(isSafeOnDisk(name, "windows"), false, name);
    assert.equal(isSafeOnDisk(name, "linux"), true, name);
  }
  assert(isSafeOnDisk("日本 #%.txt", "windows"));
});
