import assert from "node:assert/strict";
import { ROOT } from "../../../../../lib/shared/path.ts";
import { Listing } from "../../../../../lib/client/files_page/listing/listing.ts";
import { fileNamed, folderOf, manyNames, speakTo, until } from "../../support.ts";
import { at, shown, windowsOf } from "./fixture.ts";

Deno.test("Listing shows the server's refusal", () => {
  const failure = { ok: false, status: 403, code: "forbidden", message: "no" } as const;
  const api = { resource: () => Promise.reject(new Error("Cannot be asked in this test")) };
  const listing = new Listing({ api, initial: { path: "/x", resource: null, failure } });
  assert.equal(listing.status.value, "failed");
  assert.equal(listing.failure.value?.status, 403);
  assert.equal(listing.path.value, "/x");
});

Deno.test("Listing keeps the former folder on screen while the next one comes quickly", async () => {
  await using spoken = speakTo(({ path, query }) => {
    const names = path.endsWith("/b") ? ["b1", "b2"] : ["a1"];
    return Response.json(folderOf(names, query, path.slice("/api/resources".length)));
  });
  const listing = new Listing({ api: spoken.api });
  await listing.open(at("/a"));
  listing.selection.all();
  const opening = listing.open(at("/b"));
  assert.equal(listing.path.value, "/a");
  assert.equal(listing.status.value, "ready");
  await opening;
  assert.equal(listing.path.value, "/b");
  assert.equal(listing.rows.value.total, 2);
  assert.equal(listing.selection.now.value.size, 0);
});

for (
  const [what, change] of [
    ["read again", (listing: Listing) => listing.reload()],
    ["sorted", (listing: Listing) => listing.sortBy("size")],
    ["grouped", (listing: Listing) => listing.group("kind")],
    ["filtered", (listing: Listing) => listing.narrow("a")],
  ] as const
) {
  Deno.test(`Listing opens what was asked for although it is ${what} meanwhile`, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using spoken = speakTo(async ({ path, query }) => {
      if (path === "/api/resources/next") await promise;
      return Response.json(folderOf(["a"], query, path.slice("/api/resources".length)));
    });
    const initial = { path: "/", resource: folderOf(["a"]), failure: null };
    const listing = new Listing({ api: spoken.api, initial });
    const opened = listing.open(at("/next"));
    await until(() => spoken.heard.length === 1);
    assert.equal(listing.opening.value, "/next");
    await change(listing);
    resolve();
    await opened;
    assert.equal(listing.path.value, "/next");
    assert.equal(listing.opening.value, null);
    assert.equal(listing.filter.value, null);
    assert.equal(spoken.heard.length, 1);
  });
}

Deno.test("Listing says that it is loading when a folder takes long", async () => {
  let answer = () => {};
  const waiting = new Promise<void>((resolve) => answer = resolve);
  await using spoken = speakTo(async ({ path, query }) => {
    if (path.endsWith("/slow")) await waiting;
    return Response.json(folderOf(["x"], query));
  });
  const listing = new Listing({ api: spoken.api });
  await listing.open(ROOT);
  const opening = listing.open(at("/slow"));
  await until(() => listing.status.value === "loading");
  assert.equal(listing.path.value, "/slow");
  assert.equal(listing.rows.value.total, 0);
  answer();
  await opening;
  assert.equal(listing.status.value, "ready");
});

Deno.test("Listing shows the last folder that was asked for, whichever answer comes last", async () => {
  let answer = () => {};
  const waiting = new Promise<void>((resolve) => answer = resolve);
  await using spoken = speakTo(async ({ path, query }) => {
    if (path.endsWith("/slow")) await waiting;
    return Response.json(folderOf([path], query));
  });
  const listing = new Listing({ api: spoken.api });
  const slow = listing.open(at("/slow"));
  await until(() => spoken.heard.length === 1);
  await listing.open(at("/quick"));
  answer();
  await slow;
  assert.equal(listing.path.value, "/quick");
  assert.equal(listing.rows.value.at(0)?.name, "/api/resources/quick");
});

Deno.test("Listing shows a file by itself, and an empty folder as empty", async () => {
  await using spoken = speakTo(({ path, query }) => {
    const folder = folderOf([], query, path.slice("/api/resources".length));
    if (path.endsWith("/empty")) return Response.json(folder);
    return Response.json({ ...folder, isDir: false, type: "text", items: undefined });
  });
  const listing = new Listing({ api: spoken.api });
  await listing.open(at("/notes.txt"));
  assert.equal(listing.status.value, "ready");
  assert.equal(listing.resource.value?.type, "text");
  await listing.open(at("/empty"));
  assert.equal(listing.resource.value?.isDir, true);
  assert.equal(listing.rows.value.total, 0);
});

Deno.test("Listing begins at an entry, however far down it is", async () => {
  await using folder = shown(manyNames(10_000));
  const { listing } = folder;
  await listing.open(at("/pictures"), "file 07777");
  assert.equal(listing.cursor.index.value, 7777);
  assert.ok(listing.selection.now.value.has(7777));
  assert.equal(listing.selection.now.value.size, 1);
  assert.equal(listing.rows.value.at(7777)?.name, "file 07777");
  assert.deepEqual(windowsOf(folder), ["0+50"]);

  await listing.open(at("/"), "gone");
  assert.equal(listing.cursor.index.value, -1);
  assert.equal(listing.selection.now.value.size, 0);
});

Deno.test("Listing shows a file of the folder without asking, unless it is, or may be, a text", async () => {
  await using folder = shown([]);
  const { listing } = folder;
  const picture = { ...fileNamed("a.png"), type: "image" } as const;
  listing.expect(picture);
  await listing.open(at("/a.png"));
  assert.equal(listing.resource.value?.type, "image");
  assert.deepEqual(folder.heard, []);

  listing.expect(fileNamed("a.txt"));
  await listing.open(at("/a.txt"));
  assert.equal(folder.heard.length, 1);

  // Of a name that tells nothing only the server knows what is in the file.
  listing.expect({ ...fileNamed("NOTES"), type: "blob" });
  await listing.open(at("/NOTES"));
  assert.equal(folder.heard.length, 2);
});
