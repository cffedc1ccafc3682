import assert from "node:assert/strict";
import { join } from "node:path";
import type { TreeEntry } from "../../../lib/shared/schemas/entry.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    "a.txt": "a",
    top: { "b.txt": "bee", deep: { "c.txt": "" }, ".hidden": { "d.txt": "" } },
    secret: { "e.txt": "" },
    recursive: { "f.txt": "f", top: { "g.txt": "" } },
    home: { own: { "h.txt": "" } },
  },
});
Deno.test.afterAll(app.close);
await Deno.symlink("../../a.txt", join(app.root, "top", "deep", "inside"));
await Deno.symlink("../../..", join(app.root, "home", "own", "outside"));
const token = await app.tokenOf("admin");

const ask = (path: string, as = token) =>
  app.call("GET", `/api/resources/recursive${path}`, { token: as });

async function tree(path: string, as = token): Promise<TreeEntry[]> {
  const answer = await ask(path, as);
  assert.equal(answer.status, 200, path);
  return await answer.json();
}

async function paths(path: string, as = token): Promise<string[]> {
  return (await tree(path, as)).map((entry) => entry.path).sort();
}

Deno.test("recursive refuses files, what is not there, and what is out of reach", async () => {
  await assertRefused(await app.call("GET", "/api/resources/recursive/"), 401, "not_signed_in");
  await assertRefused(await ask("/none"), 404, "not_found");
  await assertRefused(await ask("/a.txt"), 404, "not_found");
  await assertRefused(await ask("/%2e%2e%2f"), 400, "invalid_path");
  const rules = [{ allow: false, path: "/secret", regex: false, regexp: { raw: "" } }];
  const { token: ruled } = await app.addUser("ruled", { rules });
  await assertRefused(await ask("/secret", ruled), 403, "forbidden");
});

Deno.test("recursive lists everything below a folder in one array", async () => {
  const answer = await ask("/top/");
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  const entries: TreeEntry[] = await answer.json();
  assert.deepEqual(Object.keys(entries[0] ?? {}), ["path", "name", "size", "modified", "isDir"]);
  const file = entries.find(({ path }) => path === "/top/b.txt");
  assert.deepEqual([file?.name, file?.size, file?.isDir], ["b.txt", 3, false]);
  assert.equal(
    Date.parse(file?.modified ?? ""),
    Deno.statSync(join(app.root, "top/b.txt")).mtime?.getTime(),
  );
  assert.deepEqual(entries.map(({ path }) => path).sort(), [
    "/top/.hidden",
    "/top/.hidden/d.txt",
    "/top/b.txt",
    "/top/deep",
    "/top/deep/c.txt",
    "/top/deep/inside",
  ]);
  assert.ok(entries.find(({ path }) => path === "/top/deep")?.isDir);
  const all = await paths("");
  assert.ok(all.includes("/recursive/top/g.txt") && all.includes("/a.txt"));
});

Deno.test("recursive leaves out what rules deny and hides, and ends at the scope", async () => {
  const rules = [{ allow: false, path: "/top/deep", regex: false, regexp: { raw: "" } }];
  const { token: ruled } = await app.addUser("half", { rules, hideDotfiles: true });
  assert.deepEqual(await paths("/top", ruled), ["/top/b.txt"]);
  const { token: scoped } = await app.addUser("scoped", { scope: "/home" });
  const found = await tree("/", scoped);
  assert.deepEqual(found.map(({ path }) => path).sort(), ["/own", "/own/h.txt", "/own/outside"]);
  const link = found.find(({ name }) => name === "outside");
  assert.deepEqual([link?.size, link?.isDir], [0, false]);
});

Deno.test('a folder called "recursive" at the root goes on being reached', async () => {
  const call = (method: string, path: string) =>
    app.call(method, `/api/resources${path}`, { token });
  assert.deepEqual(await paths("/recursive"), [
    "/recursive/f.txt",
    "/recursive/top",
    "/recursive/top/g.txt",
  ]);
  assert.equal((await (await call("GET", "/recursive/?offset=0")).json()).items.length, 2);
  const file = await call("GET", "/recursive/f.txt?checksum=md5");
  assert.equal((await file.json()).path, "/recursive/f.txt");
  await assertStatus(await call("HEAD", "/recursive/f.txt"), 200);
  await assertStatus(await call("POST", "/recursive/new/"), 200);
  await assertStatus(await call("DELETE", "/recursive/new/"), 200);
  assert.equal((await (await call("GET", "/top/recursive")).text()).includes("not_found"), true);
});

Deno.test("recursive streams a tree of many entries, and stops for a client that leaves", async () => {
  const many = join(app.root, "many");
  await Deno.mkdir(many);
  for (let index = 0; index < 20_000; index++) Deno.writeTextFileSync(join(many, `${index}`), "");
  const answer = await ask("/many");
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  assert.ok(first?.value && first.value.length < 256 * 1024);
  await reader?.cancel();
  assert.equal((await tree("/many")).length, 20_000);
});
