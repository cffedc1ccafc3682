import assert from "node:assert/strict";
import { ROOT } from "../../../../../lib/shared/path.ts";
import { Listing } from "../../../../../lib/client/files_page/listing/listing.ts";
import { fakeTimers } from "../../../../support/run/fake_timers.ts";
import { folderOf, manyNames, speakTo, type Spoken, until } from "../../support.ts";
import { at, shown, windowsOf } from "./fixture.ts";

/** A listing of 30 files from a server that can be made to refuse. */
async function refusable(status: number): Promise<Spoken & { listing: Listing; refuses: boolean }> {
  const state = { refuses: false };
  const spoken = speakTo(({ query }) =>
    state.refuses ? new Response("", { status }) : Response.json(folderOf(manyNames(30), query))
  );
  const listing = new Listing({ api: spoken.api });
  await listing.open(ROOT);
  return Object.assign(state, spoken, { listing });
}

Deno.test("Listing shows the server's rendering without asking for anything", async () => {
  using time = fakeTimers();
  await using folder = shown(manyNames(100_000));
  const { listing } = folder;
  assert.equal(listing.status.value, "ready");
  assert.equal(listing.rows.value.total, 100_000);
  assert.equal(listing.rows.value.at(49)?.name, "file 00049");
  assert.equal(listing.rows.value.at(50), undefined);
  listing.ensure(0, 50);
  await time.pass(1_000);
  assert.equal(folder.heard.length, 0);
  listing.ensure(50, 51);
  await time.pass(1_000);
  // What is missing is asked for.
  await time.until(() => folder.heard.length === 1);
});

Deno.test("Listing reads the rows that come into view, and no others", async () => {
  await using folder = shown(manyNames(100_000));
  const { listing } = folder;
  listing.ensure(70_010, 70_040);
  await until(() => listing.rows.value.at(70_010) !== undefined);
  assert.equal(listing.rows.value.at(70_039)?.name, "file 70039");
  assert.ok(listing.rows.value.loaded <= 250);
  assert.equal(listing.rows.value.at(35_000), undefined);
});

Deno.test("Listing asks for nothing while the scroll bar flies past", async () => {
  await using folder = shown(manyNames(100_000));
  const { listing } = folder;
  for (let first = 0; first < 90_000; first += 1000) listing.ensure(first, first + 30);
  await until(() => listing.rows.value.at(89_000) !== undefined);
  assert.deepEqual(windowsOf(folder), ["88950+150"]);
});

Deno.test("Listing gives up requests for rows that left the view again", async () => {
  const names = manyNames(10_000);
  let givenUp = 0;
  let hold = true;
  await using spoken = speakTo(async ({ query }, { signal }) => {
    if (hold) {
      signal.addEventListener("abort", () => hold && givenUp++);
      await until(() => !hold);
    }
    return Response.json(folderOf(names, query));
  });
  const initial = { path: "/", resource: folderOf(names), failure: null };
  const listing = new Listing({ api: spoken.api, initial });
  listing.ensure(2000, 2030);
  await until(() => spoken.heard.length === 1);
  listing.ensure(8000, 8030);
  await until(() => spoken.heard.length === 2 && givenUp === 1);
  hold = false;
  await until(() => listing.rows.value.at(8000) !== undefined);
  assert.equal(listing.rows.value.at(2000), undefined);
});

Deno.test("Listing asks again for rows in view that could not be had", async () => {
  const names = manyNames(1000);
  let fails = true;
  await using spoken = speakTo(({ query }) =>
    fails ? new Response("", { status: 500 }) : Response.json(folderOf(names, query))
  );
  const initial = { path: "/", resource: folderOf(names), failure: null };
  const listing = new Listing({ api: spoken.api, initial });
  listing.ensure(500, 530);
  await until(() => listing.failure.value?.code === "internal");
  assert.equal(listing.status.value, "ready");
  fails = false;
  await until(() => listing.rows.value.at(500) !== undefined);
  assert.equal(listing.failure.value, null);
});

Deno.test("Listing drops rows of a folder that has changed meanwhile", async () => {
  await using folder = shown(manyNames(1000));
  const { listing } = folder;
  listing.selection.click(3);
  folder.names = ["a new one", ...manyNames(1000)];
  listing.ensure(500, 530);
  await until(() => listing.rows.value.total === 1001);
  assert.equal(listing.rows.value.at(500)?.name, "file 00499");
  assert.equal(listing.rows.value.at(0), undefined);
  listing.ensure(0, 30);
  await until(() => listing.rows.value.at(0) !== undefined);
  assert.equal(listing.rows.value.at(0)?.name, "a new one");
  assert.ok(listing.selection.now.value.has(4));
});

Deno.test("Listing reads again what is in view, and keeps the selection and the cursor", async () => {
  await using folder = shown(manyNames(30));
  const { listing } = folder;
  listing.selection.click(5);
  listing.cursor.put(5);
  folder.names = ["a new one", ...manyNames(30)];
  await listing.reload();
  assert.equal(listing.rows.value.total, 31);
  assert.ok(listing.selection.now.value.has(6));
  assert.equal(listing.selection.now.value.size, 1);
  assert.equal(listing.cursor.index.value, 6);
});

Deno.test("Listing keeps its rows when reading them again fails", async () => {
  await using server = await refusable(500);
  const { listing } = server;
  server.refuses = true;
  await listing.reload();
  assert.equal(listing.status.value, "ready");
  assert.equal(listing.rows.value.total, 30);
  assert.equal(listing.failure.value?.code, "internal");
  assert.equal(listing.refreshing.value, false);
});

Deno.test("Listing leaves a folder that is gone", async () => {
  await using server = await refusable(404);
  const { listing } = server;
  listing.selection.all();
  server.refuses = true;
  await listing.reload();
  assert.equal(listing.status.value, "failed");
  assert.equal(listing.selection.now.value.size, 0);
  assert.equal(listing.resource.value, null);
  server.refuses = false;
  await listing.reload();
  assert.equal(listing.status.value, "ready");
});

Deno.test("Listing orders by a column, and by the same column the other way round", async () => {
  await using folder = shown(manyNames(200));
  const { listing } = folder;
  listing.selection.click(0);
  const sorted = listing.sortBy("name");
  assert.deepEqual(listing.order.sorting, { by: "name", asc: false }, "known before the answer");
  await sorted;
  assert.deepEqual(listing.sorting.value, { by: "name", asc: false });
  assert.equal(listing.rows.value.at(0)?.name, "file 00199");
  assert.equal(listing.selection.now.value.size, 1);
  await listing.sortBy("size");
  assert.deepEqual(listing.sorting.value, { by: "size", asc: true });
  const asked = folder.heard.map(({ query }) => `${query.get("sort")} ${query.get("order")}`);
  assert.deepEqual(asked, ["name desc", "size asc"]);
  listing.ensure(100, 120);
  await until(() => listing.rows.value.at(100) !== undefined);
  assert.equal(folder.heard.at(-1)?.query.get("sort"), "size");
});

Deno.test("Listing has the server filter the names, and begins other folders whole", async () => {
  await using folder = shown(manyNames(100));
  const { listing } = folder;
  listing.selection.all();
  await listing.narrow("");
  assert.equal(folder.heard.length, 0, "an empty filter leaves everything");
  await listing.narrow("file 1");
  assert.equal(folder.heard.at(-1)?.query.get("filter"), "file 1");
  assert.equal(listing.selection.now.value.size, 0);
  assert.equal(listing.allByName(), null, "there may be others");
  listing.selection.all();
  await listing.holdSelected()();
  await listing.reload();
  assert.ok(folder.heard.every(({ query }) => query.get("filter") === "file 1"));
  await listing.narrow(null);
  assert.equal(folder.heard.at(-1)?.query.get("filter"), null);
  await listing.narrow("file 2");
  await listing.open(at("/other"));
  assert.equal(listing.filter.value, null);
  assert.equal(folder.heard.at(-1)?.query.get("filter"), null);
});

Deno.test("Listing stays in the former order when another can't be had", async () => {
  await using server = await refusable(500);
  const { listing } = server;
  server.refuses = true;
  await listing.sortBy("size");
  assert.deepEqual(listing.sorting.value, { by: "name", asc: true });
  server.refuses = false;
  await listing.reload();
  assert.equal(server.heard.at(-1)?.query.has("sort"), false);
});

Deno.test("Listing keeps all choices of an order that are made before the first is answered", async () => {
  await using folder = shown(manyNames(3));
  const { api } = folder;
  const kept: unknown[] = [];
  const initial = { path: "/", resource: folderOf(folder.names), failure: null };
  const listing = new Listing({ api, initial, onOrdered: (change) => void kept.push(change) });
  const choices = [
    listing.sort({ by: "size" }),
    listing.sort({ asc: false }),
    listing.group("kind"),
  ];
  await Promise.all(choices);
  const all = { sorting: { by: "size", asc: false }, groupBy: "kind" };
  assert.deepEqual([listing.order, kept], [all, [all]]);
  await Promise.all([listing.sortBy("name"), listing.sortBy("name")]);
  assert.deepEqual(listing.sorting.value, { by: "name", asc: false });
});

Deno.test("holdSelected() reads the names that are not loaded yet, and keeps none of the rows", async () => {
  await using folder = shown(manyNames(2500));
  const { listing } = folder;
  listing.selection.all();
  const names = await listing.holdSelected()();
  assert.ok(names.ok);
  assert.deepEqual(names.value.toSorted(), manyNames(2500));
  assert.deepEqual(windowsOf(folder), ["50+1000", "1050+1000", "2050+450"]);
  assert.equal(listing.rows.value.loaded, 50);
});

Deno.test("holdSelected() refuses when the folder has changed since it was selected", async () => {
  await using folder = shown(manyNames(2500));
  folder.listing.selection.all();
  folder.names = ["not meant", ...manyNames(2500)];
  const names = await folder.listing.holdSelected()();
  assert.ok(!names.ok);
  assert.equal(names.code, "folder_changed");
});

Deno.test("allByName() answers only when every entry is at hand", async () => {
  await using small = shown(manyNames(30));
  assert.equal(small.listing.allByName()?.size, 30);
  await using large = shown(manyNames(60));
  assert.equal(large.listing.allByName(), null);
});
