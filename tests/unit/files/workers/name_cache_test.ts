import assert from "node:assert/strict";
import { join } from "node:path";
import { plantMany } from "../../../support/disks/files.ts";
import { deny } from "../../../support/data/rules.ts";
import { setUp } from "./set_up.ts";

/** Makes a folder's last change so old that its names may be kept. */
async function settle(...folders: string[]): Promise<void> {
  for (const folder of folders) Deno.utimeSync(folder, 1_000_000, 1_000_000);
  await new Promise((resolve) => setTimeout(resolve, 3_100));
}

Deno.test("names that are kept are never stale and never told to the wrong viewer", async (t) => {
  await using s = await setUp({
    changing: { sub: {} },
    linking: {},
    target: {},
    private: { ".dot": "", secret: "" },
    plain: {},
  });
  const plain = join(s.root, "plain");
  plantMany(plain, 10);
  const [changing, linking] = [join(s.root, "changing"), join(s.root, "linking")];
  plantMany(changing, 700);
  plantMany(linking, 600);
  plantMany(join(s.root, "private"), 10);
  Deno.symlinkSync("sub", join(changing, "zz link"));
  Deno.symlinkSync("../target", join(linking, "link"));
  await settle(plain, changing, linking, join(s.root, "private"));

  await t.step("whatever changes in the folder, the next listing tells it", async () => {
    const count = async () => {
      const { numFiles, numDirs } = await s.list("/changing", { limit: 1 });
      return `${numFiles} files, ${numDirs} folders`;
    };
    assert.equal(await count(), "700 files, 2 folders");
    assert.equal(await count(), "700 files, 2 folders", "from what was kept");
    Deno.removeSync(join(changing, "sub"));
    Deno.writeTextFileSync(join(changing, "sub"), "a file now");
    Deno.utimeSync(changing, 1_000_000, 1_000_000);
    assert.equal(await count(), "702 files, 0 folders");
    Deno.writeTextFileSync(join(changing, "new"), "");
    assert.equal(await count(), "703 files, 0 folders");
    Deno.removeSync(join(changing, "new"));
    assert.equal(await count(), "702 files, 0 folders");
  });

  await t.step("a plain entry that comes or goes is told", async () => {
    const count = async () => (await s.list("/plain", { limit: 1 })).numFiles;
    assert.deepEqual([await count(), await count()], [10, 10]);
    Deno.writeTextFileSync(join(plain, "new"), "");
    assert.equal(await count(), 11);
  });

  await t.step("a folder that changed a moment ago is not trusted, whatever its time", async () => {
    const count = async () => (await s.list("/plain", { limit: 1 })).numFiles;
    assert.equal(await count(), 11);
    const { mtime } = Deno.lstatSync(plain);
    Deno.writeTextFileSync(join(plain, "in the same tick"), "");
    Deno.utimeSync(plain, mtime ?? 0, mtime ?? 0);
    assert.equal(await count(), 12);
  });

  await t.step("links are followed anew: a target that goes or changes is told", async () => {
    const first = async () => (await s.list("/linking", { limit: 1 })).items?.[0];
    assert.equal((await first())?.type, "listing");
    assert.equal((await first())?.type, "listing");
    Deno.removeSync(join(s.root, "target"));
    assert.equal((await first())?.name, "entry 00001.txt");
    const { items, numDirs } = await s.list("/linking", { offset: 600 });
    assert.deepEqual([items?.[0]?.type, numDirs], ["invalid_link", 0]);
    Deno.symlinkSync("/etc", join(s.root, "target"));
    const { items: now } = await s.list("/linking", { offset: 600 });
    assert.deepEqual(now?.map(({ type, size }) => [type, size]), [["invalid_link", 0]]);
  });

  await t.step("those who may know less are told less", async () => {
    for (let round = 0; round < 2; round++) {
      assert.equal((await s.list("/private", { limit: 0 })).numFiles, 12);
      const rules = [deny("/private/secret")];
      assert.equal((await s.list("/private", { limit: 0 }, { rules })).numFiles, 11);
      const hide = { hideDotfiles: true, rules };
      assert.equal((await s.list("/private", { limit: 0 }, hide)).numFiles, 10);
    }
  });
});
