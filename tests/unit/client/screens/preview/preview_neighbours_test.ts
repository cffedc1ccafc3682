import assert from "node:assert/strict";
import { type EntryPath, parsePath } from "../../../../../lib/shared/path.ts";
import type { EntryType } from "../../../../../lib/shared/schemas/choices/choices.ts";
import type { Entry, Resource } from "../../../../../lib/shared/schemas/entry.ts";
import { NeighbourFinder } from "../../../../../lib/client/screens/preview/preview_neighbours.ts";
import { folderOf, manyNames, speakTo, type Spoken } from "../../support.ts";

const at = (text: string): EntryPath => parsePath(text).path;

/** A server with one folder, of whose names `kindOf` says what they are, and a finder in it. */
function folderWith(names: string[], kindOf: (name: string) => EntryType) {
  const state = { names };
  const typed = (entry: Entry) => ({ ...entry, type: kindOf(entry.name) });
  const spoken: Spoken = speakTo(({ query }) => {
    const folder: Resource = folderOf(state.names, query);
    const numDirs = state.names.filter((name) => kindOf(name) === "listing").length;
    const numFiles = state.names.length - numDirs;
    return Response.json({ ...folder, numDirs, numFiles, items: folder.items?.map(typed) });
  });
  const { api } = spoken;
  const sorting = { by: "size", asc: true } as const;
  const finder = new NeighbourFinder({ api, order: () => ({ sorting }) });
  const around = async (name: string) => {
    await finder.follow(at(`/${name}`));
    const { previous, next } = finder.now.value;
    return [previous?.name, next?.name];
  };
  return Object.assign(state, spoken, { finder, around });
}

const byEnding = (name: string): EntryType =>
  name.endsWith("png") ? "image" : name.endsWith("mp3") ? "audio" : "blob";

Deno.test("neighbours are the media on either side, whatever lies between", async () => {
  const names = ["a.png", "b.zip", "c.mp3", "d.zip", "e.png", "f.zip"];
  await using folder = folderWith(names, byEnding);
  assert.deepEqual(await folder.around("c.mp3"), ["a.png", "e.png"]);
  assert.deepEqual(await folder.around("a.png"), [undefined, "c.mp3"]);
  assert.deepEqual(await folder.around("e.png"), ["c.mp3", undefined]);
  assert.deepEqual(await folder.around("d.zip"), ["c.mp3", "e.png"]);
  assert.equal(folder.heard.length, 1);
  assert.equal(folder.heard[0]?.query.get("sort"), "size");
  assert.equal(folder.heard[0]?.query.get("order"), "asc");
});

Deno.test("a folder is no neighbour, nor is anything beyond it asked for", async () => {
  const names = ["album.png", "c.png"];
  const kindOf = (name: string): EntryType => name === "c.png" ? "image" : "listing";
  await using folder = folderWith(names, kindOf);
  assert.deepEqual(await folder.around("c.png"), [undefined, undefined]);
});

Deno.test("in a folder of 100,000 only what lies around the file is read", async () => {
  const names = manyNames(100_000);
  await using folder = folderWith(names, () => "image");
  assert.deepEqual(await folder.around("file 70000"), ["file 69999", "file 70001"]);
  assert.deepEqual(
    folder.heard.map(({ query }) => `${query.get("around") ?? ""} ${query.get("offset")}`),
    ["file 70000 0", " 69800"],
  );
});

Deno.test("the search for a neighbour goes on window by window, and ends", async () => {
  const names = manyNames(100_000);
  const far = (name: string) => name === "file 50000" || name === "file 51500";
  await using folder = folderWith(names, (name) => far(name) ? "image" : "blob");
  assert.deepEqual(await folder.around("file 50000"), [undefined, "file 51500"]);
  assert.ok(folder.heard.length < 40, `${folder.heard.length} requests`);
});

Deno.test("a file that the folder does not have has no neighbours, and neither when it is refused", async () => {
  await using folder = folderWith(["a.png", "b.png"], byEnding);
  assert.deepEqual(await folder.around("gone.png"), [undefined, undefined]);
  await using closed = speakTo(() => new Response(null, { status: 403 }));
  const finder = new NeighbourFinder({ api: closed.api, order: () => ({}) });
  await finder.follow(at("/a.png"));
  assert.deepEqual(finder.now.value, { previous: null, next: null });
});

Deno.test("what was read is forgotten when the folder is another", async () => {
  await using folder = folderWith(["a.png", "b.png", "c.png"], byEnding);
  assert.deepEqual(await folder.around("a.png"), [undefined, "b.png"]);
  folder.names = ["a.png", "c.png"];
  folder.finder.forget();
  assert.deepEqual(await folder.around("a.png"), [undefined, "c.png"]);
});

Deno.test("the neighbours of the last file that was followed count", async () => {
  await using folder = folderWith(["a.png", "b.png", "c.png"], byEnding);
  const first = folder.finder.follow(at("/a.png"));
  await folder.finder.follow(at("/c.png"));
  await first;
  assert.equal(folder.finder.now.value.previous?.name, "b.png");
});

Deno.test("places are counted over the whole folder, which is read in few requests", async () => {
  const names = manyNames(20_000);
  await using folder = folderWith(names, (name) => name.endsWith("5") ? "image" : "blob");
  await folder.around("file 10005");
  const before = folder.finder.strip.value;
  assert.equal(before.isWhole, false);
  await folder.finder.count();
  const strip = folder.finder.strip.value;
  assert.equal(strip.isWhole, true);
  assert.deepEqual([strip.placeOf("file 10005"), strip.length], [1000, 2000]);
  assert.ok(folder.heard.length < 25, `${folder.heard.length} requests`);
});

Deno.test("a folder of 100,000 is not counted; the strip loads what is looked at", async () => {
  await using folder = folderWith(manyNames(100_000), () => "image");
  await folder.around("file 70000");
  const { length } = folder.heard;
  await folder.finder.count();
  assert.equal(folder.heard.length, length);
  assert.equal(folder.finder.strip.value.at(3), undefined);
  await folder.finder.want(0, 20);
  assert.equal(folder.finder.strip.value.at(3)?.name, "file 00003");
});

Deno.test("counting ends when the folder is left, or is another", async () => {
  await using folder = folderWith(manyNames(5_000), () => "image");
  await folder.around("file 00000");
  const counting = folder.finder.count();
  folder.finder.forget();
  await counting;
  assert.equal(folder.finder.strip.value.length, 0);
  await folder.around("file 00000");
  folder.names = manyNames(4_000);
  await folder.finder.count();
  assert.equal(folder.finder.strip.value.isWhole, false, "rows of two states are not mixed");
  folder.finder.outdated();
  await folder.around("file 00000");
  await folder.finder.count();
  assert.equal(folder.finder.strip.value.length, 4_000);
});

Deno.test("the next of some types is found, and the first of all", async () => {
  await using folder = folderWith(["a.zip", "b.png", "c.mp3", "d.png"], byEnding);
  await folder.around("b.png");
  const pictures = new Set<EntryType>(["image"]);
  const { finder } = folder;
  assert.equal((await finder.nextOf(pictures, "b.png"))?.name, "d.png");
  assert.equal(await finder.nextOf(pictures, "d.png"), null);
  assert.equal((await finder.nextOf(pictures, null))?.name, "b.png");
  assert.equal(await finder.nextOf(pictures, "gone.png"), null);
});
