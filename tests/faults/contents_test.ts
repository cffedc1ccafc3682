/** The index of content search: kills, damage, limits and a full disk. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import { parsePath } from "../../lib/shared/path.ts";
import type { ContentIndexState } from "../../lib/shared/schemas/contents.ts";
import { Gate } from "../../lib/server/core/access/gate.ts";
import { SERVER } from "../../lib/server/core/access/viewer.ts";
import { IndexFile } from "../../lib/server/features/contents/index_file.ts";
import {
  ContentIndexer,
  type IndexerOptions,
} from "../../lib/server/features/contents/content_indexer.ts";
import { readState } from "../../lib/server/features/contents/state.ts";
import { temporaryFolder } from "../support/disks/files.ts";
import { fillDisk, smallDisk } from "../support/disks/small_disk.ts";

const timeoutMs = 60_000;

/** A folder with texts, and the place of an index of them. */
async function openScene(texts: number) {
  const folder = await temporaryFolder();
  const root = join(folder.path, "root");
  await Deno.mkdir(root);
  for (let number = 0; number < texts; number++) {
    const text = `file number ${number}: ${"some words of it ".repeat(40)}`;
    await Deno.writeTextFile(join(root, `${number}.txt`), text);
  }
  return {
    root,
    path: join(folder.path, "contents.db"),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

/** Keeps an index until the end of the block. */
function keep(root: string, path: string, options: Partial<IndexerOptions> = {}) {
  const stop = new AbortController();
  const notes: string[] = [];
  const indexer = new ContentIndexer({
    path,
    access: new Gate({ root, reserved: [] }).enter(SERVER),
    reading: { maxBytes: 2 ** 20, readPdf: null },
    maxBytes: 2 ** 30,
    signal: stop.signal,
    note: (sentence) => void notes.push(sentence),
    ...options,
  });
  const ended = indexer.run();
  return {
    indexer,
    notes,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

async function until(path: string, holds: (state: ContentIndexState) => boolean): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (let state: unknown = null; performance.now() < end; await delay(20)) {
    try {
      using index = new IndexFile(path, "read");
      state = readState(index);
      if (holds(state as ContentIndexState)) return;
    } catch {
      // Not there at this moment.
    }
    if (performance.now() + 50 > end) assert.fail(JSON.stringify(state));
  }
}

function found(path: string, word: string): number {
  using index = new IndexFile(path, "read");
  return [...index.each("SELECT rowid FROM words WHERE words MATCH ?", word)].length;
}

Deno.test("a killed walk goes on, with an index that is sound", async () => {
  await using scene = await openScene(800);
  const probe = new URL("../support/probes/indexer_probe.ts", import.meta.url).pathname;
  const args = ["run", "-A", "--cached-only", "--no-check", probe, scene.root, scene.path];
  for (let kills = 1; kills <= 2; kills++) {
    const child = new Deno.Command(Deno.execPath(), { args, stderr: "null" }).spawn();
    await until(scene.path, ({ files }) => files >= 100 * kills);
    child.kill("SIGKILL");
    await child.status;
  }
  const kept = found(scene.path, "number");
  assert.ok(kept >= 100, `${kept}`);
  await using kept2 = keep(scene.root, scene.path);
  await until(scene.path, ({ state, files }) => state === "ready" && files === 800);
  assert.equal(found(scene.path, "number"), 800);
  assert.deepEqual(kept2.notes, []);
  using index = new IndexFile(scene.path, "write");
  index.run("INSERT INTO words (words) VALUES ('integrity-check')");
  const rows = (sql: string) => Number(index.one(sql)?.n);
  assert.equal(rows("SELECT count(*) n FROM texts"), 800);
  assert.equal(rows("SELECT count(DISTINCT name) n FROM files"), 800);
});

Deno.test("a damaged index is thrown away with one line, and built anew", async () => {
  await using scene = await openScene(50);
  {
    await using _kept = keep(scene.root, scene.path);
    await until(scene.path, ({ state }) => state === "ready");
  }
  const noise = (length: number) =>
    crypto.getRandomValues(new Uint8Array(Math.min(length, 65_536)));
  const size = (await Deno.stat(scene.path)).size;
  const damages: [string, () => Promise<void>][] = [
    ["all of it", () => Deno.writeFile(scene.path, noise(size))],
    ["another text", () => Deno.writeTextFile(scene.path, "no index".repeat(1_000))],
    ["cut off", () => Deno.truncate(scene.path, 5_000)],
    ["another version", async () => {
      await Deno.writeFile(scene.path, new Uint8Array());
      using index = new IndexFile(scene.path, "write");
      index.run("PRAGMA user_version = 99");
    }],
  ];
  for (const [what, damage] of damages) {
    await damage();
    await using kept = keep(scene.root, scene.path);
    await until(scene.path, ({ state, files }) => state === "ready" && files === 50);
    assert.equal(found(scene.path, "number"), 50, what);
    assert.deepEqual(kept.notes, ["Content search: the index was damaged; rebuilding it"], what);
  }
});

Deno.test("an index that is damaged or removed under way is built anew", async () => {
  await using scene = await openScene(50);
  await using kept = keep(scene.root, scene.path);
  await until(scene.path, ({ state }) => state === "ready");
  await Deno.remove(scene.path);
  await until(scene.path, ({ state, files }) => state === "ready" && files === 50);
  assert.deepEqual(kept.notes, []);
  const { size } = await Deno.stat(scene.path);
  const bytes = crypto.getRandomValues(new Uint8Array(Math.min(65_536, size)));
  using file = await Deno.open(scene.path, { write: true });
  await file.write(bytes);
  await Deno.writeTextFile(join(scene.root, "51.txt"), "number 51");
  await delay(150);
  kept.indexer.touch(parsePath("/51.txt").path);
  await until(scene.path, ({ state, files }) => state === "ready" && files === 51);
});

Deno.test("at the limit of its size an index takes no more files, and says so", async () => {
  await using scene = await openScene(200);
  for (let number = 0; number < 60; number++) {
    const bytes = crypto.getRandomValues(new Uint8Array(30_000)).toBase64();
    await Deno.writeTextFile(
      join(scene.root, `noise ${number}.txt`),
      bytes.replace(/.{20}/g, "$& "),
    );
  }
  await using _kept = keep(scene.root, scene.path, { maxBytes: 2 ** 20 });
  await until(scene.path, ({ state }) => state === "full");
  using index = new IndexFile(scene.path, "read");
  const { files, bytes } = readState(index);
  assert.ok(files > 0 && files < 260, `${files} files`);
  assert.ok(bytes < 12 * 2 ** 20, `${bytes} bytes`);
});

Deno.test({
  name: "on a full disk the index stops with a clear state, and goes on when there is room",
  ignore: Deno.uid() !== 0,
  async fn() {
    await using disk = await smallDisk("size=100m");
    await using scene = await openScene(50);
    const path = join(disk.path, "contents.db");
    const filler = join(disk.path, "filler");
    await Deno.writeFile(filler, new Uint8Array(50 * 2 ** 20));
    await using kept = keep(scene.root, path);
    await until(path, ({ state }) => state === "disk_full");
    assert.deepEqual(kept.notes, [
      "Content search: the index cannot be stored now: its disk is full",
    ]);
    fillDisk(filler);
    kept.indexer.touch(parsePath("/1.txt").path);
    await delay(300);
    await Deno.remove(filler);
    kept.indexer.touch(parsePath("/1.txt").path);
    await until(path, ({ state, files }) => state === "ready" && files === 50);
    assert.equal(kept.notes.length, 1, kept.notes.join("\n"));
  },
});
