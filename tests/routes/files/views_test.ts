import assert from "node:assert/strict";
import { join } from "node:path";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import type { FolderView } from "../../../lib/shared/schemas/view.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const odd = "#%?日本 `";

const app = await startApp({
  tree: {
    home: {
      [odd]: { "b.jpg": "1", "a.txt": "22", "c.mp4": "333", "d.docx": "4", sub: {}, "e.png": "5" },
      other: { "x.txt": "" },
      "file.txt": "",
    },
  },
});
Deno.test.afterAll(app.close);

const { token } = await app.addUser("anna", { scope: "/home" });
const at = encodeURIComponent(odd);

async function look(query = "?view=true", of = token): Promise<Resource> {
  return await (await app.call("GET", `/api/resources/${at}${query}`, { token: of })).json();
}

const namesOf = ({ items = [] }: Resource) => items.map(({ name }) => name).join(" ");

async function choose(path: string, view: FolderView): Promise<void> {
  await assertStatus(await app.call("PUT", `/api/views/${path}`, { token, json: view }), 200);
}

Deno.test("a view of what is no folder, or of what one may not see, is refused", async () => {
  const put = (path: string, json: unknown) =>
    app.call("PUT", `/api/views/${path}`, { token, json });
  await assertRefused(await put("file.txt", {}), 404, "not_found");
  await assertRefused(await put("nothing", {}), 404, "not_found");
  await assertRefused(await put(at, { tileSize: "huge" }), 400, "invalid_body");
  await assertRefused(await put(at, { sorting: { by: "colour", asc: true } }), 400, "invalid_body");
});

Deno.test("a folder is sorted and grouped as its view says, and only for its user", async () => {
  const { token: berta } = await app.addUser("berta", { scope: "/home" });
  const view: FolderView = {
    viewMode: "mosaic",
    groupBy: "kind",
    sorting: { by: "name", asc: false },
  };
  await choose(at, view);
  const seen = await look();
  assert.deepEqual(seen.view, view);
  assert.deepEqual(seen.sorting, view.sorting);
  assert.equal(seen.pictures, 3);
  assert.equal(namesOf(seen), "sub e.png b.jpg c.mp4 d.docx a.txt");
  assert.deepEqual(seen.groups, [
    { name: "folder", count: 1 },
    { name: "image", count: 2 },
    { name: "video", count: 1 },
    { name: "document", count: 1 },
    { name: "text", count: 1 },
  ]);
  assert.equal(namesOf(await look("?view=true", berta)), "sub a.txt b.jpg c.mp4 d.docx e.png");
  const plain = await look("");
  assert.equal(namesOf(plain), "sub a.txt b.jpg c.mp4 d.docx e.png");
  assert.equal(plain.view, undefined);
});

Deno.test("what a request says of the order comes before the view", async () => {
  const seen = await look("?view=true&sort=size&order=desc&groupBy=none");
  assert.equal(namesOf(seen), "sub c.mp4 a.txt b.jpg d.docx e.png");
  assert.equal(seen.groups, undefined);
  await assertRefused(
    await app.call("GET", `/api/resources/${at}?groupBy=colour`, { token }),
    400,
    "invalid_option",
  );
});

Deno.test("months are those of the time zone, the latest first", async () => {
  const times = {
    "b.jpg": "2026-10-31T23:30:00Z",
    "a.txt": "2026-11-15T12:00:00Z",
    "c.mp4": "2026-10-01T00:30:00Z",
    "d.docx": "2026-09-30T22:30:00Z",
    "e.png": "1999-12-31T23:59:59Z",
  };
  for (const [name, time] of Object.entries(times)) {
    await Deno.utime(join(app.root, "home", odd, name), new Date(time), new Date(time));
  }
  const groupsIn = async (timeZone: string, query: string) => {
    const answer = await app.call("GET", `/api/resources/${at}?groupBy=month${query}`, {
      token,
      headers: { cookie: `tz=${encodeURIComponent(timeZone)}` },
    });
    const { groups = [] }: Resource = await answer.json();
    return groups.map(({ name, count }) => `${name}:${count}`).join(" ");
  };
  const utc = "folder:1 2026-11:1 2026-10:2 2026-09:1 1999-12:1";
  assert.equal(await groupsIn("UTC", ""), utc);
  assert.equal(
    await groupsIn("Europe/Berlin", "&sort=name"),
    "folder:1 2026-11:2 2026-10:2 2000-01:1",
  );
  assert.equal(
    await groupsIn("America/New_York", "&sort=modified&order=asc"),
    "folder:1 1999-12:1 2026-09:2 2026-10:1 2026-11:1",
  );
});

Deno.test("a view follows its folder, and is forgotten", async () => {
  await choose("other", { viewMode: "mosaic gallery" });
  const to = encodeURIComponent("/renamed");
  await assertStatus(
    await app.call("PATCH", `/api/resources/other?action=rename&destination=${to}`, { token }),
    200,
  );
  const viewOf = async (path: string) => {
    const answer = await app.call("GET", `/api/resources/${path}?view=true`, { token });
    return (await answer.json() as Resource).view;
  };
  assert.deepEqual(await viewOf("renamed"), { viewMode: "mosaic gallery" });
  await assertStatus(await app.call("DELETE", "/api/views/renamed", { token }), 200);
  assert.deepEqual(await viewOf("renamed"), {});
  assert.deepEqual((await viewOf(at))?.viewMode, "mosaic");
  await choose("", { tileSize: "large" });
  await assertStatus(await app.call("DELETE", "/api/views/", { token }), 200);
  assert.deepEqual((await viewOf(at))?.viewMode, "mosaic");
  await assertStatus(await app.call("DELETE", "/api/views/?all=true", { token }), 200);
  assert.deepEqual(await viewOf(at), {});
});

Deno.test("the views of so many folders are kept, the latest ones", async () => {
  const { user } = await app.addUser("carla", { scope: "/home" });
  const { folderViews } = app.cubby;
  const views = Array.from({ length: 200 }, (_, index) => {
    const { path } = parsePath(`/home/f${index}`);
    return { path, place: path, view: {} };
  });
  await folderViews.lists.change(user.id, () => views);
  const carla = await app.tokenOf("carla");
  await assertStatus(
    await app.call("PUT", `/api/views/${at}`, { token: carla, json: { tileSize: "small" } }),
    200,
  );
  const kept = await folderViews.lists.get(user.id);
  assert.equal(kept.length, 200);
  assert.equal(kept[0]?.path, "/home/f1");
  assert.deepEqual(kept.at(-1)?.view, { tileSize: "small" });
});
