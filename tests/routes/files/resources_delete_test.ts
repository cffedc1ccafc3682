import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({
  tree: {
    "a.txt": "1",
    "gone.txt": "1",
    gone: { "b.txt": "2", deep: { "c.txt": "3" } },
    guarded: { open: { "d.txt": "4" }, secret: { "e.txt": "5" } },
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const remove = (path: string, as = token) =>
  app.call("DELETE", `/api/resources${path}`, { token: as });
const there = (path: string) => {
  try {
    return Deno.lstatSync(join(app.root, path)) !== null;
  } catch {
    return false;
  }
};

Deno.test("DELETE refuses the root", async () => {
  for (const path of ["", "/", "//"]) {
    await assertRefused(await remove(path), 403, "forbidden", path);
  }
  assert.ok(there("a.txt"));
});

Deno.test("DELETE wants its permission, and does not tell what is there without it", async () => {
  const { token: weak } = await app.addUser("olga", { perm: { delete: false } });
  const messages = [
    await assertRefused(await remove("/a.txt", weak), 403, "forbidden"),
    await assertRefused(await remove("/b.txt", weak), 403, "forbidden"),
  ];
  assert.equal(messages[0]?.replace("a.txt", "b.txt"), messages[1]);
  assert.ok(there("a.txt"));
});

Deno.test("DELETE is 404 for what is not there", async () => {
  await assertRefused(await remove("/none"), 404, "not_found");
  await assertRefused(await remove("/a.txt/below"), 404, "not_found");
});

Deno.test("DELETE leaves a folder whole that holds something denied", async () => {
  const { token: guarded } = await app.addUser("paul", { rules: [deny("/guarded/secret")] });
  await assertRefused(await remove("/guarded", guarded), 403, "forbidden");
  assert.ok(there("guarded/open/d.txt") && there("guarded/secret/e.txt"));
});

Deno.test("DELETE removes files and folders with all that is below", async () => {
  await assertStatus(await remove("/gone.txt"), 200);
  assert.equal(there("gone.txt"), false);
  await assertStatus(await remove("/gone/"), 200);
  assert.equal(there("gone"), false);
  await assertRefused(await remove("/gone"), 404, "not_found");
});
