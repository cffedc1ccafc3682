import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ tree: { "taken.txt": "former", folder: { "in.txt": "1" } } });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const post = (path: string, body?: BodyInit, headers?: Record<string, string>) =>
  app.call("POST", `/api/resources${path}`, { token, body, headers });
const read = (path: string) => Deno.readTextFileSync(join(app.root, path));

/** Nothing but what is named lies in a folder: no temporary file was left behind. */
function assertHolds(path: string, names: string[]): void {
  const found = [...Deno.readDirSync(join(app.root, path))].map(({ name }) => name);
  assert.deepEqual(found.sort(), names.sort());
}

Deno.test("an upload does not replace a file without override", async () => {
  for (const query of ["", "?override=false", "?override="]) {
    await assertRefused(await post(`/taken.txt${query}`, "new"), 409, "exists");
  }
  assert.equal(read("taken.txt"), "former");
});

Deno.test("an upload over a folder leaves the folder as it is", async () => {
  for (const query of ["", "?override=true"]) {
    const answer = await post(`/folder${query}`, "new");
    assert.equal(answer.status, 409);
    await answer.body?.cancel();
  }
  assertHolds("folder", ["in.txt"]);
});

Deno.test("a folder is not made where a file is, nor below one", async () => {
  await assertRefused(await post("/taken.txt/"), 409, "exists");
  await assertStatus(await post("/taken.txt/below/"), 409);
  await assertStatus(await post("/taken.txt/below.txt", "x"), 409);
  assert.equal(read("taken.txt"), "former");
});

Deno.test("making folders and files wants create, replacing modify as well", async () => {
  const { token: weak } = await app.addUser("lea", { perm: { create: false } });
  const { token: half } = await app.addUser("max", { perm: { modify: false } });
  const ask = (path: string, as: string) =>
    app.call("POST", `/api/resources${path}`, { token: as, body: "new" });
  await assertRefused(await ask("/weak/", weak), 403, "forbidden");
  await assertRefused(await ask("/weak.txt", weak), 403, "forbidden");
  await assertRefused(await ask("/taken.txt?override=true", weak), 403, "forbidden");
  await assertRefused(await ask("/taken.txt?override=true", half), 403, "forbidden");
  assert.equal(read("taken.txt"), "former");
  await assertStatus(await ask("/half.txt", half), 200);
});

Deno.test("a folder is made with its parents, and once more without complaint", async () => {
  for (let time = 0; time < 2; time++) {
    const answer = await post("/made/a/b%20c/");
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), "OK\n");
  }
  assert.ok(Deno.statSync(join(app.root, "made/a/b c")).isDirectory);
  await assertStatus(await post("/"), 200);
});

Deno.test("an upload is written whole with its parents, and says its tag", async () => {
  const answer = await post("/up/deep/new.txt", "content");
  assert.equal(answer.status, 200);
  const etag = answer.headers.get("etag");
  assert.equal(await answer.text(), "OK\n");
  assert.equal(read("up/deep/new.txt"), "content");
  assertHolds("up/deep", ["new.txt"]);
  const described = await app.call("GET", "/api/resources/up/deep/new.txt", { token });
  assert.equal(described.headers.get("etag"), etag);
  await described.body?.cancel();
});

Deno.test("an upload without a body is an empty file", async () => {
  await assertStatus(await post("/empty.txt"), 200);
  assert.equal(read("empty.txt"), "");
});

Deno.test("an upload with override replaces the file", async () => {
  await post("/again.txt", "first, and longer");
  const answer = await post("/again.txt?override=true", "second");
  await assertStatus(answer, 200);
  assert.equal(read("again.txt"), "second");
});

Deno.test("an upload honours If-Match", async () => {
  const etag = (await post("/match.txt", "first")).headers.get("etag") ?? "";
  const refused = await post("/match.txt?override=true", "x", { "if-match": '"other"' });
  await assertRefused(refused, 412, "precondition_failed");
  assert.equal(read("match.txt"), "first");
  await assertStatus(await post("/match.txt?override=true", "second", { "if-match": etag }), 200);
  assert.equal(read("match.txt"), "second");
});
