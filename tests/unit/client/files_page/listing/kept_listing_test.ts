import assert from "node:assert/strict";
import type { Resource } from "../../../../../lib/shared/schemas/entry.ts";
import {
  keepListing,
  restoreListing,
} from "../../../../../lib/client/files_page/listing/kept_listing.ts";
import { Listing } from "../../../../../lib/client/files_page/listing/listing.ts";
import { folderOf, manyNames } from "../../support.ts";

function listingOf(resource: Resource, path = "/"): Listing {
  const api = { resource: () => Promise.reject(new Error("Cannot be asked in this test")) };
  return new Listing({ api, initial: { path, resource, failure: null } });
}

const names = manyNames(100_000);

function leave(): unknown {
  const listing = listingOf(folderOf(names));
  listing.selection.click(4);
  listing.selection.click(60_000, { range: true });
  listing.cursor.put(30);
  return JSON.parse(JSON.stringify(keepListing(listing)));
}

Deno.test("a folder that has not changed finds its selection and its cursor again", () => {
  const again = listingOf(folderOf(names));
  restoreListing(again, leave());
  assert.equal(again.selection.now.value.size, 60_000 - 4 + 1);
  assert.ok(again.selection.now.value.has(59_999));
  assert.equal(again.cursor.index.value, 30);
});

Deno.test("nothing is selected in another folder, or in one that has changed since", () => {
  const others = [
    listingOf(folderOf(names, undefined, "/other"), "/other"),
    listingOf(folderOf(names.slice(1))),
    listingOf({ ...folderOf(names), modified: "2027-01-01T00:00:00Z" }),
    listingOf({ ...folderOf(names), sorting: { by: "name", asc: false } }),
  ];
  for (const other of others) {
    restoreListing(other, leave());
    assert.equal(other.selection.now.value.size, 0);
    assert.equal(other.cursor.index.value, -1);
  }
});

Deno.test("nothing happens where nothing was kept", () => {
  const listing = listingOf(folderOf(names));
  listing.selection.click(1);
  for (const kept of [null, undefined, 7, "x", {}]) restoreListing(listing, kept);
  assert.equal(listing.selection.now.value.size, 1);
});

Deno.test("a great selection of loaded entries is not kept", () => {
  const many = names.slice(0, 5000);
  const listing = listingOf({ ...folderOf(many), items: folderOf(many).items });
  listing.selection.selectNames(many);
  assert.deepEqual(keepListing(listing).names, []);
});
