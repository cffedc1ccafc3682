import assert from "node:assert/strict";
import { join } from "node:path";
import { Pauses } from "../../../../lib/server/core/concurrency/pauses.ts";
import {
  FolderTree,
  type Shared,
} from "../../../../lib/server/features/dav/folder_states/folder_tree.ts";
import { plant, temporaryFolder, type Tree } from "../../../support/disks/files.ts";
import { at, enter } from "../../core/access/visitors.ts";

/** A tree of which nothing is watched, after its folders were left alone for some time. */
async function setUp(content: Tree, shared: Partial<Shared> = {}) {
  const root = await temporaryFolder();
  await plant(root.path, content);
  const unwatched = { watch: () => null, has: () => false };
  const counts: Shared = { watches: unwatched, maxFolders: 1_000, folders: 0, ...shared };
  const open = () => new FolderTree(enter(root.path).folder(at("/")), counts);
  const digest = async (tree: FolderTree, path = "/") =>
    (await tree.checked(at(path), new Pauses()))?.digest ?? null;
  return {
    ...{ root: root.path, counts, open, digest },
    path: (name: string) => join(root.path, name),
    [Symbol.asyncDispose]: () => root[Symbol.asyncDispose](),
  };
}

const tree: Tree = { a: { "x.txt": "1", b: { c: { "y.txt": "2" } } }, d: { e: {} } };

/** No call sets `ctime`, so the clock is set forward: folders were left alone for a minute. */
function settled<T>(work: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() + 60_000;
  return work().finally(() => Date.now = now);
}

Deno.test("a file that changes in place, unwatched, is found by reading its folder again", async () => {
  await using s = await setUp(tree);
  await settled(async () => {
    const known = s.open();
    const before = await s.digest(known);
    Deno.writeTextFileSync(s.path("a/b/c/y.txt"), "changed in place");
    known.expire();
    assert.equal(await s.digest(known), before, "its folder's times tell nothing");
    for (const folder of known.folders()) known.reread(folder);
    const after = await s.digest(known);
    assert.notEqual(after, before);
    assert.equal(await s.digest(s.open()), after);
  });
});

Deno.test("a folder counts as watched when all folders in it are, and none holds links", async () => {
  const watched = new Set<Disposable>();
  const watches: Shared["watches"] = {
    watch() {
      const watch = { [Symbol.dispose]: () => void watched.delete(watch) };
      watched.add(watch);
      return watch;
    },
    has: (watch) => watch !== null && watched.has(watch),
  };
  await using s = await setUp(tree, { watches });
  Deno.symlinkSync(s.path("a/x.txt"), s.path("d/link"));
  await settled(async () => {
    const known = s.open();
    const isWatched = async (path: string) => {
      const folder = await known.checked(at(path), new Pauses());
      return folder !== null && known.isWatched(folder);
    };
    const places = ["/", "/a", "/a/b", "/d", "/d/e"];
    const all = await Promise.all(places.map(isWatched));
    assert.deepEqual(all, [false, true, true, false, true]);
    // As at the system's limit of watches.
    for (const watch of [...watched].slice(1)) watch[Symbol.dispose]();
    assert.equal(await isWatched("/a"), false);
  });
});

Deno.test("folders beyond the limit are read again each time, to the same digest", async () => {
  await using s = await setUp(tree);
  const whole = await s.digest(s.open());
  await using few = await setUp({}, { maxFolders: 2 });
  const bounded = new FolderTree(enter(s.root).folder(at("/")), few.counts);
  for (let round = 0; round < 3; round++) {
    assert.equal(await s.digest(bounded), whole);
    assert.equal(few.counts.folders <= 3, true);
    bounded.expire();
  }
  bounded.close();
  assert.equal(few.counts.folders, 0);
});

Deno.test("folders that are gone are forgotten", async () => {
  await using s = await setUp(tree);
  const known = s.open();
  assert.notEqual(await s.digest(known, "/a/b/c"), null);
  assert.equal(await s.digest(known, "/a/nowhere"), null);
  Deno.removeSync(s.path("a"), { recursive: true });
  known.expire();
  await s.digest(known);
  assert.equal(s.counts.folders, 3);
});

Deno.test("a question below finds the digest that one at the top has found", async () => {
  await using s = await setUp(tree);
  const [one, other] = [s.open(), s.open()];
  await s.digest(one);
  for (const path of ["/a/b", "/d", "/a", "/"]) {
    assert.equal(await s.digest(other, path), await s.digest(one, path));
  }
});
