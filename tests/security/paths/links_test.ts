import assert from "node:assert/strict";
import { join } from "node:path";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import { manyFilesBody, receivedCodes } from "../../support/data/many_files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    home: { "own.txt": "own", sub: { "in.txt": "in" } },
    other: { "secret.txt": "SECRET", deep: { "more.txt": "MORE" } },
  },
});
Deno.test.afterAll(app.close);
const { token } = await app.addUser("bea", { scope: "/home" });

const home = join(app.root, "home");
const other = join(app.root, "other");
const link = (target: string, name: string) => Deno.symlinkSync(target, join(home, name));

link(join(other, "secret.txt"), "absolute.txt");
link("../other/secret.txt", "relative.txt");
link("absolute.txt", "chained.txt");
link(join(other, "none.txt"), "dangling.txt");
link(other, "folder");
link("../../other/deep", "sub/nested");
link("..", "up");
/** The seven kinds of links that leave the scope. */
const leaving = ["absolute.txt", "relative.txt", "chained.txt", "dangling.txt", "folder", "up"];
const throughThem = [
  "folder/secret.txt",
  "folder/deep/more.txt",
  "sub/nested/more.txt",
  "up/other",
];

link("own.txt", "fine.txt");
link("none.txt", "broken.txt");
link("loop_b", "loop_a");
link("loop_a", "loop_b");

const ask = (method: string, path: string, body?: string) =>
  app.call(method, path, { token, body });

function assertUntouched(): void {
  assert.equal(Deno.readTextFileSync(join(other, "secret.txt")), "SECRET");
  assert.equal(Deno.readTextFileSync(join(other, "deep/more.txt")), "MORE");
  const names = [...Deno.readDirSync(other)].map(({ name }) => name).sort();
  assert.deepEqual(names, ["deep", "secret.txt"]);
  for (const name of leaving) assert.ok(Deno.lstatSync(join(home, name)).isSymlink, name);
}

Deno.test("a link that leaves the scope is refused for reading, also from below it", async () => {
  for (const path of [...leaving, "sub/nested", ...throughThem]) {
    for (const call of ["resources", "raw", "usage", "watch"]) {
      await assertRefused(await ask("GET", `/api/${call}/${path}`), 403, "forbidden", path);
    }
    await assertStatus(await ask("HEAD", `/api/raw/${path}`), 403, path);
    await assertStatus(await ask("GET", `/api/resources/${path}?checksum=md5`), 403, path);
  }
});

Deno.test("a link that leaves the scope shows no preview, subtitles, checksum or archive", async () => {
  for (const path of [...leaving, "sub/nested", ...throughThem]) {
    const calls = [`preview/thumb/${path}`, `preview/big/${path}`, `subtitle/${path}`];
    calls.push(`resources/${path}?checksum=sha1`, `raw/${path}?algo=tar`, `raw/${path}/?files=a`);
    calls.push(`raw/?files=${encodeURIComponent(path)}`, `search/${path}/?query=s`);
    for (const call of calls) {
      await assertRefused(await ask("GET", `/api/${call}`), 403, "forbidden", call);
      await assertStatus(await ask("HEAD", `/api/${call}`), 403, call);
    }
  }
});

Deno.test("a search finds nothing of what is behind links that leave the scope, not even its kind", async () => {
  const found = async (query: string) =>
    await (await ask("GET", `/api/search/?query=${query}`)).json();
  for (const query of ["secret", "more", "deep"]) assert.deepEqual(await found(query), [], query);
  for (const [query, path] of [["absolute", "absolute.txt"], ["nested", "sub/nested"]] as const) {
    assert.deepEqual(await found(query), [{ path, dir: false }], query);
  }
});

Deno.test("a link that leaves the scope is not written through, and makes nothing", async () => {
  for (const path of [...leaving, ...throughThem, "folder/new.txt", "sub/nested/new.txt"]) {
    for (
      const [method, query] of [["POST", ""], ["POST", "?override=true"], ["PUT", ""]] as const
    ) {
      const answer = await ask(method, `/api/resources/${path}${query}`, "overwritten");
      await assertRefused(answer, 403, "forbidden", `${method} ${path}${query}`);
    }
    await assertStatus(await ask("POST", `/api/resources/${path}/made/`), 403, path);
    const many = [false, true].map((override) => ({
      path: override ? path : `/${path}`,
      text: "overwritten",
      override,
    }));
    const answer = await ask("POST", "/api/uploads/", manyFilesBody(many));
    assert.deepEqual(await receivedCodes(answer), ["forbidden", "forbidden"], path);
  }
  assertUntouched();
});

Deno.test("nothing behind a link that leaves the scope is deleted", async () => {
  for (const path of throughThem) {
    await assertRefused(await ask("DELETE", `/api/resources/${path}`), 403, "forbidden", path);
    const query = "?action=rename&destination=%2Fstolen.txt";
    await assertRefused(await ask("PATCH", `/api/resources/${path}${query}`), 403, "forbidden");
  }
  assertUntouched();
});

Deno.test("a link that leaves the scope is renamed, moved and deleted itself, whatever it is", async () => {
  for (const target of [other, "../other/secret.txt", join(other, "none.txt"), "/etc"]) {
    link(target, "leaving");
    const move = (from: string, to: string) =>
      ask("PATCH", `/api/resources/${from}?action=rename&destination=%2F${to}`);
    await assertStatus(await move("leaving", "renamed"), 200);
    await assertStatus(await move("renamed", "sub%2Fmoved"), 200);
    assert.equal(Deno.readLinkSync(join(home, "sub/moved")), target);
    await assertStatus(await ask("DELETE", "/api/resources/sub/moved"), 200);
    assert.deepEqual([...Deno.readDirSync(join(home, "sub"))].map(({ name }) => name).sort(), [
      "in.txt",
      "nested",
    ]);
  }
  assertUntouched();
});

Deno.test("of a link that leaves the scope, a listing says nothing but that it is one", async () => {
  const resource: Resource = await (await ask("GET", "/api/resources/")).json();
  const own = ["broken.txt", "fine.txt", "loop_a", "loop_b", "own.txt", "sub"];
  const names = resource.items?.map(({ name }) => name).sort();
  assert.deepEqual(names, [...own, ...leaving].sort());
  for (const item of resource.items ?? []) {
    if (!leaving.includes(item.name)) continue;
    assert.deepEqual([item.type, item.size, item.isDir], ["invalid_link", 0, false], item.name);
    assert.ok(!("content" in item) && item.isSymlink);
    const { mtime } = Deno.lstatSync(join(home, item.name));
    assert.equal(item.modified, mtime?.toISOString(), "its own time");
  }
});

Deno.test("a link inside the scope is followed, a broken one and a loop are shown as such", async () => {
  assert.equal(await (await ask("GET", "/api/raw/fine.txt")).text(), "own");
  const resource: Resource = await (await ask("GET", "/api/resources/")).json();
  const typeOf = (name: string) => resource.items?.find((item) => item.name === name)?.type;
  assert.equal(typeOf("broken.txt"), "invalid_link");
  assert.equal(typeOf("loop_a"), "invalid_link");
  for (const path of ["broken.txt", "loop_a"]) {
    const { status, body } = await ask("GET", `/api/raw/${path}`);
    assert.ok(status === 403 || status === 404, `${path} ${status}`);
    await body?.cancel();
  }
});

Deno.test("deleting a link leaves what it leads to", async () => {
  link("own.txt", "spare.txt");
  await assertStatus(await ask("DELETE", "/api/resources/spare.txt"), 200);
  assert.equal(Deno.readTextFileSync(join(home, "own.txt")), "own");
  link("sub", "spare");
  await assertStatus(await ask("DELETE", "/api/resources/spare/"), 200);
  assert.equal(Deno.readTextFileSync(join(home, "sub/in.txt")), "in");
});

Deno.test("a link planted in a folder does not make deleting the folder reach outside", async () => {
  Deno.mkdirSync(join(home, "trap"));
  link(other, "trap/out");
  const answer = await ask("DELETE", "/api/resources/trap");
  assert.ok([200, 403].includes(answer.status), `${answer.status}`);
  await answer.body?.cancel();
  assertUntouched();
});
