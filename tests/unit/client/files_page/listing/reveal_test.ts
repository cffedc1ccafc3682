import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import { type EntryPath, parsePath, ROOT } from "../../../../../lib/shared/path.ts";
import { Listing } from "../../../../../lib/client/files_page/listing/listing.ts";
import { LeaveGuard } from "../../../../../lib/client/base/navigation/leave_guard.ts";
import type { Place } from "../../../../../lib/client/base/navigation/navigation.ts";
import { reveal } from "../../../../../lib/client/base/files/reveal.ts";
import { folderOf, type Heard, manyNames, speakTo, until } from "../../support.ts";

const at = (text: string): EntryPath => parsePath(text).path;

/** A page at the root, whose other folders answer so. */
function pageWith(answer: (heard: Heard) => Response | Promise<Response>) {
  const spoken = speakTo(answer);
  const initial = { path: "/", resource: folderOf(["a.txt"]), failure: null };
  const listing = new Listing({ api: spoken.api, initial });
  const place = signal<Place>({ path: ROOT, folder: true });
  const go = (path: EntryPath) => {
    place.value = { path, folder: true };
    void listing.open(path);
  };
  return Object.assign(spoken, { listing, navigation: { place, go, guard: new LeaveGuard() } });
}

Deno.test("reveal() goes to the folder and calls for the row, however far down it is", async () => {
  const names = manyNames(5_000);
  await using page = pageWith(({ query }) => Response.json(folderOf(names, query, "/docs")));
  const { listing } = page;
  await reveal(page, at("/docs"), ["file 03210"]);
  assert.equal(listing.path.value, "/docs");
  assert.equal(listing.cursor.index.value, 3_210);
  assert.ok(listing.selection.now.value.has(3_210));
  assert.equal(listing.selection.now.value.size, 1);
  assert.equal(listing.cursor.calls.value, 1);
  assert.ok(listing.rows.value.loaded <= 100);
});

Deno.test("reveal() goes once it is said what becomes of what is unsaved, or not at all", async () => {
  await using page = pageWith(({ query }) => Response.json(folderOf(["b.txt"], query, "/docs")));
  const { guard } = page.navigation;
  let held = true;
  const answers = [false, true];
  guard.hold({
    holds: () => held,
    async ask() {
      await Promise.resolve();
      held = !answers.shift();
      return !held;
    },
  });
  await reveal(page, at("/docs"), ["b.txt"]);
  assert.equal(page.listing.path.value, "/");
  await reveal(page, at("/docs"), ["b.txt"]);
  assert.equal(page.listing.path.value, "/docs");
  assert.ok(page.listing.selection.now.value.has(0));
});

Deno.test("reveal() selects in the folder on screen without reading it", async () => {
  await using page = pageWith(() => new Response("", { status: 500 }));
  await reveal(page, ROOT, ["a.txt"]);
  assert.equal(page.listing.cursor.index.value, 0);
  assert.deepEqual(page.heard, []);
});

Deno.test("reveal() leaves the folder as it is when the entry has gone, and the page when the folder has", async () => {
  await using page = pageWith(({ path, query }) =>
    path.endsWith("gone")
      ? Response.json({ code: "not_found", message: "gone" }, { status: 404 })
      : Response.json(folderOf(["b.txt"], query, "/docs"))
  );
  await reveal(page, at("/docs"), ["none"]);
  assert.equal(page.listing.path.value, "/docs");
  assert.equal(page.listing.selection.now.value.size, 0);
  await reveal(page, at("/gone"), ["none"]);
  assert.equal(page.listing.status.value, "failed");
  assert.equal(page.listing.cursor.calls.value, 0);
});

Deno.test("reveal() gives up once the user goes elsewhere", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using page = pageWith(async ({ path, query }) => {
    if (path.endsWith("slow")) await promise;
    return Response.json(folderOf(["b.txt"], query, "/docs"));
  });
  const revealed = reveal(page, at("/slow"), ["b.txt"]);
  page.navigation.go(at("/docs"));
  await revealed;
  resolve();
  await until(() => page.listing.path.value === "/docs");
  assert.equal(page.listing.selection.now.value.size, 0);
});

Deno.test("reveal() selects in a folder that was being left, once it is read again", async () => {
  await using page = pageWith(({ path, query }) => {
    const folder = path.slice("/api/resources".length) || "/";
    return Response.json(folderOf(["b.txt", "c.txt"], query, folder));
  });
  const { listing, navigation } = page;
  navigation.go(at("/docs"));
  await until(() => listing.opening.value === null);
  navigation.go(ROOT);
  await reveal(page, at("/docs"), ["b.txt", "c.txt"]);
  assert.equal(listing.path.value, "/docs");
  assert.equal(listing.selection.now.value.size, 2);
  assert.equal(listing.cursor.index.value, 0);
});
