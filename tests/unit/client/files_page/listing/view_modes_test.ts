import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import type { Resource } from "../../../../../lib/shared/schemas/entry.ts";
import type { FolderView } from "../../../../../lib/shared/schemas/view.ts";
import {
  type AccountView,
  type Preference,
  Preferences,
  ViewModes,
} from "../../../../../lib/client/files_page/listing/view/view_modes.ts";
import { userWho } from "../../../../support/data/page_data.ts";
import { success } from "../../../../../lib/shared/result.ts";
import { fileNamed, speakTo, until } from "../../support.ts";

const account: AccountView = userWho();

/** Views of a folder that the test opens, and what was kept. */
function viewsOf(fields: Partial<AccountView> = {}) {
  const resource = signal<Resource | null>(null);
  const kept: [string, FolderView][] = [];
  const saved: Preference[] = [];
  const forgotten: number[] = [];
  const view = new ViewModes({
    resource,
    account: { ...account, ...fields },
    pictured: true,
    keep: (path, chosen) => kept.push([path, chosen]),
    save: (preference) => {
      saved.push(preference);
      return Promise.resolve(success(undefined));
    },
    forget: () => {
      forgotten.push(saved.length);
      return Promise.resolve(success(undefined));
    },
  });
  const open = (path: string, more: Partial<Resource> = {}) => {
    const folder = { ...fileNamed(path.slice(1)), path, isDir: true, type: "listing" as const };
    resource.value = { ...folder, numDirs: 0, numFiles: 10, pictures: 0, ...more };
  };
  return { view, resource, kept, saved, forgotten, open };
}

Deno.test("a folder is shown as was chosen for it, else as the account says", () => {
  const { view, open } = viewsOf({ viewMode: "mosaic" });
  assert.equal(view.mode.value, "mosaic");
  open("/a", { view: { viewMode: "list", tileSize: "small" } });
  assert.deepEqual(view.now.value, { viewMode: "list", tileSize: "small" });
  open("/b", { view: {} });
  assert.deepEqual(view.now.value, { viewMode: "mosaic", tileSize: "medium" });
});

Deno.test("the view stays while the next folder loads, or a file is open", () => {
  const { view, resource, open } = viewsOf();
  open("/a", { view: { viewMode: "mosaic" } });
  assert.equal(view.mode.value, "mosaic");
  resource.value = null;
  assert.equal(view.mode.value, "mosaic");
});

Deno.test("a folder of pictures opens as photos, unless chosen otherwise", () => {
  const { view, open, kept } = viewsOf();
  open("/few", { pictures: 5, numFiles: 5 });
  assert.equal(view.mode.value, "list");
  open("/mixed", { pictures: 9, numFiles: 20 });
  assert.equal(view.mode.value, "list");
  open("/many", { pictures: 9, numFiles: 10, numDirs: 1 });
  assert.equal(view.mode.value, "mosaic gallery");
  // A later answer, of another window, tells nothing of pictures.
  open("/many", { pictures: undefined, numFiles: 100 });
  assert.equal(view.mode.value, "mosaic gallery");
  view.choose("list");
  assert.equal(view.mode.value, "list");
  assert.deepEqual(kept, [["/many", { viewMode: "list" }]]);
  const { view: off, open: openOff } = viewsOf({ picturesAsPhotos: false });
  openOff("/many", { pictures: 10 });
  assert.equal(off.mode.value, "list");
});

Deno.test("the button of the current view goes on to the next one", () => {
  const { view, open, kept } = viewsOf();
  open("/a");
  for (const _ of [1, 2, 3]) view.choose(view.mode.peek());
  assert.deepEqual(kept.map(([, { viewMode }]) => viewMode), ["mosaic", "mosaic gallery", "list"]);
});

Deno.test("choices for a folder add up, and do not touch another", () => {
  const { view, open, kept } = viewsOf();
  open("/a", { view: { groupBy: "kind" } });
  view.change({ viewMode: "mosaic" });
  view.change({ tileSize: "large" });
  assert.deepEqual(kept.at(-1), ["/a", { groupBy: "kind", viewMode: "mosaic", tileSize: "large" }]);
  open("/b");
  assert.equal(view.mode.value, "list");
});

Deno.test("a view for all folders is the account's from then on", async () => {
  const { view, open, saved, forgotten } = viewsOf();
  open("/a", { view: { viewMode: "mosaic", tileSize: "small" } });
  const sorting = { by: "size" as const, asc: false };
  assert.ok((await view.everywhere({ sorting, groupBy: "month" })).ok);
  assert.deepEqual(forgotten, [1], "the views of folders are forgotten after it is saved");
  assert.deepEqual(saved, [{
    viewMode: "mosaic",
    tileSize: "small",
    groupBy: "month",
    picturesAsPhotos: false,
    sorting,
  }]);
  assert.equal(view.mode.value, "mosaic");
  open("/b", { pictures: 10 });
  assert.deepEqual(view.now.value, { viewMode: "mosaic", tileSize: "small" });
});

Deno.test("density and the column of types are the account's", () => {
  const { view, saved } = viewsOf();
  view.changeAccount({ density: "compact" });
  view.changeAccount({ typeColumn: "hidden" });
  assert.deepEqual(saved, [{ density: "compact" }, { typeColumn: "hidden" }]);
  assert.equal(view.account.value.density, "compact");
});

Deno.test("Preferences sends only the fields that were chosen, one call at a time", async () => {
  const first = Promise.withResolvers<void>();
  await using spoken = speakTo(async () => {
    if (spoken.heard.length === 1) await first.promise;
    return new Response();
  });
  const preferences = new Preferences<Preference>((fields) => spoken.api.changeUser(2, fields));
  void preferences.save({ viewMode: "mosaic" });
  void preferences.save({ viewMode: "list" });
  const last = preferences.save({ sorting: { by: "size", asc: false } });
  void preferences.save({ viewMode: "mosaic gallery" });
  await until(() => spoken.heard.length === 1);
  first.resolve();
  await until(() => spoken.heard.length === 2);
  await last;
  assert.deepEqual(spoken.heard.map(({ method, path }) => `${method} ${path}`), [
    "PUT /api/users/2",
    "PUT /api/users/2",
  ]);
  assert.deepEqual(spoken.heard.map(({ body }) => JSON.parse(body)), [
    { what: "user", which: ["viewMode"], data: { viewMode: "mosaic" } },
    {
      what: "user",
      which: ["viewMode", "sorting"],
      data: { viewMode: "mosaic gallery", sorting: { by: "size", asc: false } },
    },
  ]);
});

Deno.test("what waits is sent at once when the page is left", async () => {
  const first = Promise.withResolvers<void>();
  await using spoken = speakTo(async () => {
    await first.promise;
    return new Response();
  });
  const preferences = new Preferences<Preference>((fields) => spoken.api.changeUser(2, fields));
  const saved = preferences.save({ viewMode: "mosaic" });
  void preferences.save({ density: "compact" });
  preferences.flush();
  await until(() => spoken.heard.length === 2);
  first.resolve();
  assert.ok((await saved).ok);
  assert.deepEqual(JSON.parse(spoken.heard[1]?.body ?? "").data, { density: "compact" });
});

Deno.test("Preferences goes on after a choice that could not be kept", async () => {
  await using spoken = speakTo(() => new Response("no", { status: 500 }));
  const preferences = new Preferences<Preference>((fields) => spoken.api.changeUser(2, fields));
  await preferences.save({ viewMode: "mosaic" });
  await preferences.save({ viewMode: "list" });
  assert.equal(spoken.heard.length, 2);
});
