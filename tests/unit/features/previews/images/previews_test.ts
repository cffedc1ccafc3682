import assert from "node:assert/strict";
import { join } from "node:path";
import { Gate } from "../../../../../lib/server/core/access/gate.ts";
import { PreviewSource } from "../../../../../lib/server/features/previews/images/preview_source.ts";
import {
  previewConcurrency,
  Previews,
} from "../../../../../lib/server/features/previews/images/previews.ts";
import { plant, temporaryFolder, type Tree } from "../../../../support/disks/files.ts";
import { looksOf, quarters } from "../../../../support/data/pictures.ts";
import { at, viewer } from "../../../core/access/visitors.ts";

const photo = await quarters(1200, 900).jpeg().toBuffer();

async function setUp(tree: Tree, options: { concurrency?: number; maxCacheBytes?: number } = {}) {
  const folder = await temporaryFolder();
  const root = join(folder.path, "root");
  const cacheDir = join(folder.path, "cache");
  await Deno.mkdir(root);
  await plant(root, tree);
  const notes: string[] = [];
  const note = (sentence: string) => void notes.push(sentence);
  const previews = new Previews({ cacheDir, concurrency: 2, note, ...options });
  const gate = new Gate({ root, reserved: [] });
  const look = (path: string) =>
    new PreviewSource({
      access: gate.enter(viewer()),
      path: at(path),
      size: "thumb",
      format: "webp",
      can: (method) => previews.can(method),
    });
  return {
    ...{ root, cacheDir, notes, previews, look },
    make: (path: string, signal?: AbortSignal, owner = "ann") =>
      previews.make(look(path), owner, signal),
    /** The previews in the cache. */
    kept: () => filesBelow(join(cacheDir, "previews")),
    async [Symbol.asyncDispose]() {
      previews.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function filesBelow(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory ? filesBelow(path) : [path];
    });
  } catch {
    return [];
  }
}

/** The sweep may be at work meanwhile. */
function sizeIfThere(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch {
    return 0;
  }
}

Deno.test("a preview is refused for good when the file is broken, and made when it is mended", async () => {
  await using stand = await setUp({ "a.jpg": photo.subarray(0, 200) });
  for (let round = 0; round < 2; round++) {
    await assert.rejects(stand.make("/a.jpg"), {
      code: "not_supported",
      message: /cannot be read/,
    });
  }
  assert.deepEqual(stand.kept(), []);
  await Deno.writeFile(join(stand.root, "a.jpg"), photo);
  assert.equal((await stand.make("/a.jpg")).format, "webp");
});

Deno.test("those who ask for the same preview at the same time get one", async () => {
  await using stand = await setUp({ "a.jpg": photo });
  const all = await Promise.all(Array.from({ length: 20 }, () => stand.make("/a.jpg")));
  assert.equal(new Set(all.map(({ bytes }) => bytes)).size, 1, "it was decoded once");
  assert.equal(stand.kept().length, 1);
});

Deno.test("a preview is taken from the cache by the next server", async () => {
  await using stand = await setUp({ "a.jpg": photo });
  const first = await stand.make("/a.jpg");
  const { ino } = Deno.statSync(stand.kept()[0] ?? "");
  const other = new Previews({ cacheDir: stand.cacheDir, concurrency: 1, note() {} });
  const second = await other.make(stand.look("/a.jpg"), "bob");
  other.close();
  assert.deepEqual(second.bytes, first.bytes);
  assert.equal(Deno.statSync(stand.kept()[0] ?? "").ino, ino, "it was not written again");
});

Deno.test("two servers on one cache that make the same preview do not disturb each other", async () => {
  const tree = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`${index}.jpg`, photo]));
  await using stand = await setUp(tree);
  const other = new Previews({ cacheDir: stand.cacheDir, concurrency: 2, note() {} });
  const paths = Object.keys(tree).map((name) => `/${name}`);
  const made = await Promise.all(
    paths.flatMap((path) => [stand.make(path), other.make(stand.look(path), "bob")]),
  );
  other.close();
  for (const { bytes } of made) assert.equal((await looksOf(bytes)).width, 256);
  assert.equal(stand.kept().length, 6);
});

Deno.test("previews that nobody waits for any more are not made", async () => {
  const tree = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`${index}.jpg`, photo]),
  );
  await using stand = await setUp(tree, { concurrency: 1 });
  const controller = new AbortController();
  const all = Object.keys(tree).map((name) => stand.make(`/${name}`, controller.signal));
  const settled = Promise.allSettled(all);
  controller.abort();
  for (const { status } of await settled) assert.equal(status, "rejected");
  assert.equal((await stand.make("/39.jpg")).format, "webp");
  assert.ok(stand.kept().length <= 3, `${stand.kept().length}`);
});

Deno.test("a preview is made for those who stay when the first asker leaves", async () => {
  await using stand = await setUp({ "a.jpg": photo, "b.jpg": photo }, { concurrency: 1 });
  const controller = new AbortController();
  const before = stand.make("/b.jpg");
  const leaving = assert.rejects(stand.make("/a.jpg", controller.signal), { name: "AbortError" });
  const staying = stand.make("/a.jpg");
  controller.abort();
  const late = stand.make("/a.jpg");
  await leaving;
  assert.equal((await staying).bytes, (await late).bytes);
  await before;
});

Deno.test("a file that is gone when its turn comes is not found, for each by their own path", async () => {
  await using stand = await setUp({ "a.jpg": photo });
  Deno.linkSync(join(stand.root, "a.jpg"), join(stand.root, "b.jpg"));
  const source = stand.look("/a.jpg");
  Deno.removeSync(join(stand.root, "a.jpg"));
  await assert.rejects(stand.previews.make(source, "ann"), {
    code: "not_found",
    message: /a\.jpg/,
  });
});

Deno.test("a file that is replaced when its turn comes is shown as it is then", async () => {
  await using stand = await setUp({ "a.jpg": photo });
  const source = stand.look("/a.jpg");
  const other = await quarters(300, 300).flip().jpeg({ quality: 95 }).toBuffer();
  await Deno.writeFile(join(stand.root, "new.jpg"), other);
  await Deno.rename(join(stand.root, "new.jpg"), join(stand.root, "a.jpg"));
  const preview = await stand.previews.make(source, "ann");
  assert.equal((await looksOf(preview.bytes)).corners, "blue white red green");
  assert.notEqual(preview.source.key, source.key);
});

Deno.test("a preview is sent even when it cannot be kept, and the log is told once", async () => {
  await using stand = await setUp({ "a.jpg": photo, "b.jpg": photo });
  await Deno.writeTextFile(stand.cacheDir, "a file where the folder should be");
  for (const path of ["/a.jpg", "/b.jpg"]) assert.ok((await stand.make(path)).bytes.length > 0);
  assert.equal(stand.notes.filter((sentence) => /cannot write the cache/.test(sentence)).length, 1);
});

Deno.test("the cache is brought below its bound while previews are made", async () => {
  const tree: Tree = {};
  for (let index = 0; index < 30; index++) {
    tree[`${index}.png`] = await quarters(64 + index, 64).png().toBuffer();
  }
  await using stand = await setUp(tree, { maxCacheBytes: 3_000 });
  const sizeOf = () => stand.kept().reduce((sum, path) => sum + sizeIfThere(path), 0);
  for (const name of Object.keys(tree)) await stand.make(`/${name}`);
  const deadline = Date.now() + 30_000;
  while (sizeOf() > 3_000 && Date.now() < deadline) await new Promise((go) => setTimeout(go, 10));
  assert.ok(sizeOf() <= 3_000, `${sizeOf()}`);
});

Deno.test("which decoders are in use is noted once, in one line", async () => {
  await using stand = await setUp({ "a.jpg": photo, "b.jpg": photo });
  await Promise.all([stand.make("/a.jpg"), stand.make("/b.jpg")]);
  assert.equal(stand.notes.length, 1);
  assert.match(stand.notes[0] ?? "", /^Previews: made with sharp [\d.]+ \(libvips [\d.]+\)$/);
});

Deno.test("threads share the processors", () => {
  assert.deepEqual([1, 2, 4, 16].map((cores) => previewConcurrency(1, cores)), [2, 2, 3, 8]);
  assert.deepEqual([1, 2, 4, 16].map((cores) => previewConcurrency(2, cores)), [1, 1, 1, 4]);
  assert.equal(previewConcurrency(64, 8), 1);
});
