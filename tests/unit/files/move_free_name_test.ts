import assert from "node:assert/strict";
import { DiskError, type OpenFolder } from "../../../lib/server/core/disk/disk.ts";
import { disk } from "../../../lib/server/core/disk/this_disk.ts";
import { renameToFree } from "../../../lib/server/files/upload/free_name.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { describe } from "./transfers.ts";

/** An open folder of a file system that can't do some things, and says so in its words. */
function lacking(path: string, calls: Partial<Record<keyof OpenFolder, string>>): OpenFolder {
  const folder = disk.folder(path);
  for (const [call, word] of Object.entries(calls)) {
    Object.defineProperty(folder, call, {
      value() {
        throw new DiskError(word, call);
      },
    });
  }
  return folder;
}

const systems = {
  "as it is": {},
  "an old kernel": { renameToFree: "ENOSYS" },
  "a file system without such renames": { renameToFree: "EINVAL" },
  "a file system without hard links": { renameToFree: "EINVAL", addName: "EPERM" },
} as const;

for (const [system, calls] of Object.entries(systems)) {
  Deno.test(`renameToFree() moves an entry and replaces none: ${system}`, async () => {
    await using place = await temporaryFolder();
    await plant(place.path, {
      ...{ "a.txt": "a", folder: { x: "x" }, empty: {} },
      taken: { "a.txt": "other", "empty.txt": "", full: { y: "y" }, link: "" },
    });
    Deno.symlinkSync("none", `${place.path}/link`);
    {
      using from = lacking(place.path, calls);
      using to = lacking(`${place.path}/taken`, calls);
      for (const name of ["a.txt", "folder", "link"]) {
        for (const taken of ["a.txt", "empty.txt", "full"]) {
          assert.throws(() => renameToFree(from, name, to, taken), { code: "EEXIST" }, taken);
        }
        renameToFree(from, name, to, `${name} 2`);
      }
      assert.throws(() => renameToFree(from, "none", to, "n"), { code: "ENOENT" });
    }
    assert.deepEqual([...describe(place.path, false)], [
      "empty/ 755",
      "taken/ 755",
      "taken/a.txt 644: other",
      "taken/a.txt 2 644: a",
      "taken/empty.txt 644: ",
      "taken/folder 2/ 755",
      "taken/folder 2/x 644: x",
      "taken/full/ 755",
      "taken/full/y 644: y",
      "taken/link 644: ",
      "taken/link 2 -> none",
    ]);
  });
}

Deno.test("renameToFree() leaves one name when the other can't be removed", async () => {
  await using place = await temporaryFolder();
  await plant(place.path, { "a.txt": "a", to: {} });
  using from = lacking(place.path, { renameToFree: "EINVAL", removeFile: "EACCES" });
  using to = disk.folder(`${place.path}/to`);
  assert.throws(() => renameToFree(from, "a.txt", to, "b.txt"), { code: "EACCES" });
  assert.deepEqual([...describe(place.path, false)], ["a.txt 644: a", "to/ 755"]);
});

Deno.test("renameToFree() takes a folder's name in one step: a kill leaves no empty folder", async () => {
  await using place = await temporaryFolder();
  await plant(place.path, { folder: { x: "x" }, to: {} });
  using from = lacking(place.path, { renameToFree: "EINVAL", rename: "EIO" });
  using to = lacking(`${place.path}/to`, { makeFolder: "EIO" });
  assert.throws(() => renameToFree(from, "folder", to, "folder"), { code: "EIO" });
  assert.deepEqual([...describe(place.path, false)], ["folder/ 755", "folder/x 644: x", "to/ 755"]);
});
