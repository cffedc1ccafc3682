import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { mock } from "node:test";
import { PreviewCache } from "../../../../../lib/server/features/previews/images/preview_cache.ts";
import { filesBelow, temporaryFolder } from "../../../../support/disks/files.ts";
import { quarters } from "../../../../support/data/pictures.ts";

const webp = new Uint8Array(await quarters(32, 32).webp().toBuffer());
const jpeg = new Uint8Array(await quarters(32, 32).jpeg().toBuffer());
const keyOf = (index: number) => index.toString(16).padStart(2, "0") + "f".repeat(62);
const minuteMs = 60_000;

async function setUp() {
  const folder = await temporaryFolder();
  const path = join(folder.path, "previews");
  const fileOf = (key: string) => join(path, key.slice(0, 2), key);
  return {
    cache: new PreviewCache(path),
    path,
    fileOf,
    sweep: (max: number) => new PreviewCache(path, max).sweep(),
    /** Keeps a preview that was last used so many minutes ago. */
    async keep(index: number, minutes: number): Promise<void> {
      await new PreviewCache(path).write(keyOf(index), webp);
      const time = new Date(Date.now() - minutes * minuteMs);
      Deno.utimeSync(fileOf(keyOf(index)), time, time);
    },
    names: () => filesBelow(path).map((name) => basename(name)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

Deno.test("what is not in the cache, or is damaged, is not given out", async () => {
  await using at = await setUp();
  assert.equal(await at.cache.read(keyOf(1)), null);
  for (const [index, bytes] of [webp, jpeg].entries()) {
    await at.cache.write(keyOf(index), bytes);
    for (const length of [bytes.length - 1, bytes.length - 100, 20, 3, 0]) {
      Deno.writeFileSync(at.fileOf(keyOf(index)), bytes.subarray(0, length));
      assert.equal(await at.cache.read(keyOf(index)), null, `${index} ${length}`);
    }
  }
});

Deno.test("a kept preview is found by every other opener of the cache", async () => {
  await using at = await setUp();
  const picture = new Uint8Array(await quarters(32, 32).jpeg().toBuffer());
  await at.cache.write(keyOf(1), picture);
  const found = await new PreviewCache(at.path).read(keyOf(1));
  assert.deepEqual(found, { bytes: picture, format: "jpeg" });
  assert.equal((Deno.statSync(at.fileOf(keyOf(1))).mode ?? 0) & 0o777, 0o600);
});

Deno.test("a preview that is read counts as used", async () => {
  await using at = await setUp();
  await at.keep(1, 24 * 60);
  await at.cache.read(keyOf(1));
  const deadline = Date.now() + 30_000;
  const age = () => Date.now() - Number(Deno.statSync(at.fileOf(keyOf(1))).mtime);
  while (age() > minuteMs && Date.now() < deadline) await new Promise((go) => setTimeout(go, 5));
  assert.ok(age() < minuteMs);
});

Deno.test("a small preview is read from the disk once, and each reader gets the same bytes", async () => {
  await using at = await setUp();
  for (const [index, bytes] of [webp, jpeg].entries()) await at.cache.write(keyOf(index), bytes);
  const first = await Promise.all([at.cache.read(keyOf(0)), at.cache.read(keyOf(1))]);
  Deno.removeSync(at.path, { recursive: true });
  assert.deepEqual(first.map((preview) => preview?.bytes), [webp, jpeg]);
  for (const index of [0, 1, 0]) {
    assert.deepEqual(await at.cache.read(keyOf(index)), first[index]);
  }
  assert.equal(await at.cache.read(keyOf(2)), null);
});

Deno.test("a removed preview is missed after an hour, so that it is made again", async () => {
  await using at = await setUp();
  await at.cache.write(keyOf(1), webp);
  await at.cache.read(keyOf(1));
  Deno.removeSync(at.path, { recursive: true });
  const later = Date.now() + 61 * minuteMs;
  const clock = mock.method(Date, "now", () => later);
  try {
    await at.cache.read(keyOf(1));
    assert.equal(await at.cache.read(keyOf(1)), null);
  } finally {
    clock.mock.restore();
  }
});

Deno.test("previews in memory take 4 MiB at most, and large ones none", async () => {
  await using at = await setUp();
  const padded = (length: number) => {
    const bytes = new Uint8Array(length);
    bytes.set(webp);
    new DataView(bytes.buffer).setUint32(4, length - 8, true);
    return bytes;
  };
  const small = padded(60_000);
  for (let index = 0; index < 100; index++) await at.cache.write(keyOf(index), small);
  await at.cache.write(keyOf(200), padded(70_000));
  for (let index = 0; index < 100; index++) await at.cache.read(keyOf(index));
  assert.notEqual(await at.cache.read(keyOf(200)), null);
  Deno.removeSync(at.path, { recursive: true });
  assert.equal(await at.cache.read(keyOf(200)), null);
  let held = 0;
  for (let index = 0; index < 100; index++) if (await at.cache.read(keyOf(index))) held++;
  assert.equal(held, Math.floor(4 * 2 ** 20 / small.length));
});

Deno.test("nothing half written is left when a preview cannot be kept", async () => {
  await using at = await setUp();
  Deno.mkdirSync(at.fileOf(keyOf(1)), { recursive: true });
  await assert.rejects(at.cache.write(keyOf(1), webp));
  assert.deepEqual(at.names(), []);
});

Deno.test("a cache below its bound is left alone", async () => {
  await using at = await setUp();
  for (let index = 0; index < 10; index++) await at.keep(index, index * 10);
  await at.sweep(webp.length * 10);
  assert.equal(at.names().length, 10);
});

Deno.test("a cache above its bound loses what was not used for the longest time", async () => {
  await using at = await setUp();
  for (let index = 0; index < 20; index++) await at.keep(index, index * 10);
  await at.sweep(webp.length * 10);
  assert.deepEqual(at.names(), Array.from({ length: 9 }, (_, index) => keyOf(index)).sort());
});

Deno.test("a sweep removes old leftovers and keeps what is being written", async () => {
  await using at = await setUp();
  await at.keep(1, 0);
  const [old, fresh] = ["old.part", "fresh.part"].map((name) => join(at.path, "01", name));
  for (const path of [old, fresh]) Deno.writeFileSync(path ?? "", webp);
  const longAgo = new Date(Date.now() - 120 * minuteMs);
  Deno.utimeSync(old ?? "", longAgo, longAgo);
  await at.sweep(2 ** 30);
  assert.deepEqual(at.names(), [keyOf(1), "fresh.part"].sort());
});

Deno.test("a sweep of a cache that is not there does nothing", async () => {
  await using at = await setUp();
  await at.sweep(1);
});
