import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ tree: { "a.txt": "first", folder: { "in.txt": "1" } } });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const put = (path: string, body: BodyInit, headers?: Record<string, string>) =>
  app.call("PUT", `/api/resources${path}`, { token, body, headers });
const read = (path: string) => Deno.readTextFileSync(join(app.root, path));

Deno.test("PUT refuses what is not there and makes nothing", async () => {
  await assertRefused(await put("/none.txt", "x"), 404, "not_found");
  await assertRefused(await put("/none/deep.txt", "x"), 404, "not_found");
  assert.throws(() => Deno.statSync(join(app.root, "none")), Deno.errors.NotFound);
});

Deno.test("PUT to a folder is refused and leaves it as it is", async () => {
  await assertRefused(await put("/folder", "x"), 409, "is_folder");
  for (const path of ["/folder/", "/a.txt/", "/none/", "/"]) {
    await assertRefused(await put(path, "x"), 400, "invalid_path", path);
  }
  assert.equal(read("a.txt"), "first");
  assert.equal(read("folder/in.txt"), "1");
});

Deno.test("PUT wants the permission to modify", async () => {
  const { token: weak } = await app.addUser("nina", { perm: { modify: false } });
  for (const path of ["/a.txt", "/none.txt"]) {
    const answer = await app.call("PUT", `/api/resources${path}`, { token: weak, body: "x" });
    await assertRefused(answer, 403, "forbidden", path);
  }
  assert.equal(read("a.txt"), "first");
});

Deno.test("PUT refuses when the file has changed", async () => {
  await assertRefused(
    await put("/a.txt", "x", { "if-match": '"other"' }),
    412,
    "precondition_failed",
  );
  assert.equal(read("a.txt"), "first");
});

Deno.test("PUT saves new content and says the new tag", async () => {
  const former = await app.call("GET", "/api/resources/a.txt", { token });
  const etag = former.headers.get("etag") ?? "";
  await former.body?.cancel();

  const answer = await put("/a.txt", "second", { "if-match": etag });
  assert.notEqual(answer.headers.get("etag"), etag);
  await assertStatus(answer, 200);
  assert.equal(read("a.txt"), "second");
  await assertStatus(await put("/a.txt", "x", { "if-match": etag }), 412);
});

Deno.test("PUT keeps the file's permission bits", async () => {
  const path = join(app.root, "script.sh");
  Deno.writeTextFileSync(path, "one");
  Deno.chmodSync(path, 0o750);
  await assertStatus(await put("/script.sh", "two"), 200);
  assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o750);
});
