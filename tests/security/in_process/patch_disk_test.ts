import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { mount, smallDisk } from "../../support/disks/small_disk.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

/** Mounting wants the superuser. */
const ignore = Deno.uid() !== 0;

const options = "size=2m,nr_inodes=64";

/** Everything below a folder, but a trash that is empty. */
function* all(folder: string): Iterable<string> {
  for (const { name, isDirectory } of [...Deno.readDirSync(folder)]) {
    const path = join(folder, name);
    if (name === ".cubby-trash" && [...Deno.readDirSync(path)].length === 0) continue;
    yield `${path} ${isDirectory ? "" : Deno.statSync(path).size}`;
    if (isDirectory) yield* all(path);
  }
}

Deno.test(
  { name: "a copy that does not fit is 507, and nothing is left or lost", ignore },
  async () => {
    await using disk = await smallDisk(options);
    const large = new Uint8Array(700_000).fill(1);
    await using app = await startApp({
      inProcess: true,
      config: { root: disk.path },
      tree: {
        "large.bin": large,
        "former.txt": "former",
        tree: { "first.txt": "1", deep: { "large.bin": large } },
        into: { "first.txt": "former", own: {} },
        many: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}`, ""])),
      },
    });
    const token = await app.tokenOf("admin");
    const before = [...all(disk.path)].sort();
    const copies = [
      ["large.bin", "/new/large.bin"],
      ["large.bin", "/former.txt"],
      ["tree", "/new/tree"],
      ["tree", "/into"],
      ["many", "/many too"],
    ];
    for (const [from, to = ""] of copies) {
      const query = `action=copy&destination=${encodeURIComponent(to)}&override=true`;
      const answer = await app.call("PATCH", `/api/resources/${from}?${query}`, { token });
      await assertRefused(answer, 507, "disk_full", to);
      assert.deepEqual([...all(disk.path)].sort(), before, to);
    }
    const query = "action=rename&destination=/into&override=true";
    await assertStatus(await app.call("PATCH", `/api/resources/tree?${query}`, { token }), 200);
    assert.equal(Deno.readTextFileSync(join(disk.path, "into/first.txt")), "1");
  },
);

Deno.test({ name: "a read-only root says no to every copy and move", ignore }, async () => {
  await using disk = await smallDisk(options);
  await using app = await startApp({
    inProcess: true,
    config: { root: disk.path },
    tree: { "a.txt": "a", folder: { "b.txt": "b" }, other: {} },
  });
  await mount("-o", "remount,ro", disk.path);
  const token = await app.tokenOf("admin");
  for (const action of ["copy", "rename"]) {
    for (const from of ["a.txt", "folder"]) {
      for (const to of ["/new", "/made/new", "/other/new", "/other"]) {
        if (from === "a.txt" && to === "/other") continue;
        const query = `action=${action}&destination=${to}&override=true`;
        const answer = await app.call("PATCH", `/api/resources/${from}?${query}`, { token });
        await assertRefused(answer, 403, "read_only", `${action} ${from} ${to}`);
      }
    }
  }
  assert.equal(Deno.readTextFileSync(join(disk.path, "folder/b.txt")), "b");
});
