import assert from "node:assert/strict";
import { join } from "node:path";
import type { FolderSize } from "../../../../lib/shared/schemas/size.ts";
import { WorkerCall } from "../../../../lib/server/core/concurrency/serve_worker.ts";
import type { Reply } from "../../../../lib/server/core/concurrency/protocol.ts";
import {
  measureFolder,
  type SizeOptions,
} from "../../../../lib/server/files/sizes/measure_folder.ts";
import { SizeCache } from "../../../../lib/server/files/sizes/size_cache.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { at, enter } from "../../core/access/visitors.ts";

/** A folder that was changed long ago, and a cache with a clock of its own. */
async function setUp() {
  const folder = await temporaryFolder();
  await plant(folder.path, { top: { "a.txt": "12345", sub: { "b.txt": "123" } } });
  const clock = { ms: Date.now() + 10_000 };
  const cache = new SizeCache(() => clock.ms);
  const measure = async (options: SizeOptions = { format: "json" }, viewer = "one") => {
    const sent: FolderSize[] = [];
    const post = (reply: Reply) => {
      if ("part" in reply) sent.push(JSON.parse(new TextDecoder().decode(reply.part)));
    };
    const call = new WorkerCall(1, post);
    call.begin(undefined, 1_000);
    const access = enter(folder.path);
    await measureFolder(access, at("/top"), options, { cache, viewer }, call);
    const last = sent.at(-1);
    assert(last && !last.isPartial);
    return last;
  };
  const grow = () => Deno.writeTextFileSync(join(folder.path, "top/sub/b.txt"), "1234567");
  const real = Deno.realPathSync(join(folder.path, "top/sub"));
  return {
    folder,
    clock,
    cache,
    measure,
    grow,
    real,
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

Deno.test("a folder is not read again while it is unchanged, for a minute", async () => {
  await using s = await setUp();
  assert.equal((await s.measure()).bytes, 8);
  s.grow();
  s.clock.ms += 59_000;
  assert.equal((await s.measure()).bytes, 8, "it was read again");
  s.clock.ms += 2_000;
  assert.equal((await s.measure()).bytes, 12);
});

Deno.test("a folder of which a change was told is read again", async () => {
  await using s = await setUp();
  await s.measure();
  s.grow();
  s.cache.forget(s.real);
  assert.equal((await s.measure()).bytes, 12);
  assert.equal((await s.measure()).bytes, 12);
});

Deno.test("what is kept for one viewer is not shown to another", async () => {
  await using s = await setUp();
  await s.measure();
  s.grow();
  assert.equal((await s.measure({ format: "json" }, "other")).bytes, 12);
  assert.equal((await s.measure()).bytes, 8);
});

Deno.test("a folder that was changed just now is not kept", async () => {
  await using s = await setUp();
  s.clock.ms = Date.now();
  await s.measure();
  s.grow();
  assert.equal((await s.measure()).bytes, 12);
});

Deno.test("a folder that has become another is read, though its name is the same", async () => {
  await using s = await setUp();
  await s.measure();
  Deno.renameSync(s.real, `${s.real}.old`);
  Deno.mkdirSync(s.real);
  assert.deepEqual(await s.measure(), {
    bytes: 8,
    files: 2,
    folders: 2,
    unreadable: 0,
    isPartial: false,
  });
});

Deno.test("a measurement that nobody waits for any more ends", async () => {
  await using s = await setUp();
  const call = new WorkerCall(1, () => {});
  const kept = { cache: s.cache, viewer: "one" };
  const measuring = measureFolder(enter(s.folder.path), at("/top"), { format: "json" }, kept, call);
  call.cancel();
  await assert.rejects(measuring, { name: "AbortError" });
});
