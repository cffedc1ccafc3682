import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({ tree: { folder: { "a.txt": "one" } } });
Deno.test.afterAll(app.close);

Deno.test("usage refuses a path that is not there, malformed or denied", async () => {
  const token = await app.tokenOf("admin");
  const ask = (path: string) => app.call("GET", `/api/usage${path}`, { token });
  await assertRefused(await ask("/none"), 404, "not_found");
  await assertRefused(await ask("/%ff"), 400, "invalid_path");

  const { token: denied } = await app.addUser("ivy", { rules: [deny("/folder")] });
  for (const path of ["/folder", "/folder/none"]) {
    const answer = await app.call("GET", `/api/usage${path}`, { token: denied });
    await assertRefused(answer, 403, "forbidden");
  }
});

Deno.test("usage tells the disk's bytes for any user, with and without a slash", async () => {
  const none = { download: false, create: false, modify: false, delete: false };
  const { token } = await app.addUser("jo", { perm: none });
  for (const path of ["", "/", "/folder", "/folder/", "/folder/a.txt"]) {
    const answer = await app.call("GET", `/api/usage${path}`, { token });
    assert.equal(answer.status, 200, path);
    const { total, used } = await answer.json();
    assert.ok(Number.isSafeInteger(total) && Number.isSafeInteger(used));
    assert.ok(0 < used && used < total);
  }
});
