/** A disk with faults: reading and writing fail with EIO. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { FolderSize } from "../../lib/shared/schemas/size.ts";
import { plant, temporaryFolder } from "../support/disks/files.ts";
import { ensureFuse, mountFuse } from "../support/disks/fuse.ts";
import { startApp } from "../support/server/app.ts";
import { leftovers } from "./leftovers.ts";

await ensureFuse();
const source = await temporaryFolder();
const app = await startApp({ inProcess: true, tree: { disk: {} } });
const disk = await mountFuse(source.path, join(app.root, "disk"));
Deno.test.afterAll(async () => {
  await disk[Symbol.asyncDispose]();
  await app.close();
  await source[Symbol.asyncDispose]();
});
const token = await app.tokenOf("admin");

async function sizeOf(path: string): Promise<FolderSize> {
  return await (await app.call("GET", `/api/size${path}`, { token })).json();
}

/** Gives a folder a time at which sizes are kept. */
function age(path: string): void {
  const old = new Date(Date.now() - 60_000);
  Deno.utimeSync(join(source.path, path), old, old);
}

Deno.test("the size of a folder that can't be read any more is not that of before", async () => {
  await plant(source.path, { tree: { "a.txt": "four", sub: { "b.txt": "four" } } });
  for (const path of ["tree/sub", "tree", "."]) age(path);
  // The time of a change of its facts is now: sizes are kept once that is some time ago.
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const before = await sizeOf("/disk/tree");
  assert.deepEqual([before.bytes, before.unreadable], [8, 0]);
  assert.deepEqual(await sizeOf("/disk/tree"), before);
  {
    await using _ = await disk.fail("openat");
    const { unreadable } = await sizeOf("/disk/tree");
    assert.ok(unreadable > 0, "nothing says that it could not be read");
  }
  assert.deepEqual(await sizeOf("/disk/tree"), before);
});

for (const calls of [["pwrite64"], ["fsync"], ["pwrite64", "fsync", "fstat"]]) {
  for (const [method, path] of [["POST", "/new.txt"], ["PUT", "/old.txt"]] as const) {
    Deno.test(`a ${method} leaves nothing where ${calls.join(", ")} of its disk fail`, async () => {
      await plant(source.path, { "old.txt": "old" });
      const before = [...Deno.readDirSync(source.path)].map(({ name }) => name).sort();
      {
        await using _ = await disk.fail(...calls);
        const body = "x".repeat(1_000_000);
        const answer = await app.call(method, `/api/resources/disk${path}`, { token, body });
        assert.ok(answer.status >= 500, String(answer.status));
        await answer.body?.cancel();
      }
      await disk.released();
      const names = [...Deno.readDirSync(source.path)].map(({ name }) => name).sort();
      assert.deepEqual(names, before);
      assert.equal(Deno.readTextFileSync(join(source.path, "old.txt")), "old");
      assert.deepEqual(await leftovers(app.root, app.cubby.store), []);
    });
  }
}
