import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ArchiveIndex } from "../../../../lib/server/features/archive/browse/archive_index.ts";
import { IndexCache } from "../../../../lib/server/features/archive/browse/index_cache.ts";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
import { parsePath } from "../../../../lib/shared/path.ts";
import { SERVER } from "../../../../lib/server/core/access/viewer.ts";
import { tarOf } from "../../../support/data/hostile_archives.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";

const tar = tarOf(Array.from({ length: 500 }, (_, index) => ({ name: `f${index}.txt` })));
const packed = gzipSync(tar);

async function withCache(
  act: (cache: IndexCache, handleOf: (name: string) => ReturnType<typeof read>) => Promise<void>,
): Promise<void> {
  await using folder = await temporaryFolder();
  for (let index = 0; index < 8; index++) {
    Deno.writeFileSync(join(folder.path, `${index}.tar.gz`), packed);
  }
  await act(new IndexCache(), (name) => read(folder.path, name));
}

function read(root: string, name: string) {
  return new Gate({ root, reserved: [] }).enter(SERVER).read(parsePath(name).path);
}

const never = new AbortController().signal;

Deno.test("an archive is read once for all who ask, and then kept", async () => {
  await withCache(async (cache, handleOf) => {
    const [first, second] = await Promise.all([
      cache.get(handleOf("0.tar.gz"), null, never),
      cache.get(handleOf("0.tar.gz"), null, never),
    ]);
    assert.ok(first instanceof ArchiveIndex && first === second);
    assert.equal(first.count, 500);
    assert.equal(await cache.get(handleOf("0.tar.gz"), 0, never), first);
  });
});

Deno.test("one who does not wait hears how far it is; one who leaves ends the reading", async () => {
  await withCache(async (cache, handleOf) => {
    const told = await cache.get(handleOf("0.tar.gz"), 0, never);
    assert.deepEqual(told, { bytes: 0, size: packed.length });
    const leaving = new AbortController();
    const waits = cache.get(handleOf("0.tar.gz"), null, leaving.signal);
    leaving.abort(new Error("left"));
    await assert.rejects(waits, /left/);
    const again = await cache.get(handleOf("0.tar.gz"), 0, never);
    assert.deepEqual(again, { bytes: 0, size: packed.length });
    assert.ok(await cache.get(handleOf("0.tar.gz"), null, never) instanceof ArchiveIndex);
  });
});

Deno.test("only some archives are read at a time", async () => {
  await withCache(async (cache, handleOf) => {
    const readings = Array.from({ length: 6 }, (_, index) => handleOf(`${index}.tar.gz`));
    for (const handle of readings) await cache.get(handle, 0, never);
    await assert.rejects(cache.get(handleOf("6.tar.gz"), null, never), { code: "busy" });
    for (const handle of readings) await cache.get(handle, null, never);
    await cache.get(handleOf("6.tar.gz"), null, never);
  });
});
