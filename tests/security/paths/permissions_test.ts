import assert from "node:assert/strict";
import { join } from "node:path";
import type { Permissions } from "../../../lib/shared/schemas/rights.ts";
import { startApp } from "../../support/server/app.ts";

const app = await startApp({
  tree: {
    "a.txt": "former",
    "dot.png": "",
    "film.srt": "1\n00:00:01,000 --> 00:00:02,000\nformer\n",
    folder: { "b.txt": "former" },
  },
});
Deno.test.afterAll(app.close);

type Permission = keyof Permissions;
/** Method, path, headers: what one call needs, besides a session. */
const needs: [Permission, string, string, Record<string, string>?][] = [
  ["download", "GET", "/api/raw/a.txt"],
  ["download", "GET", "/api/raw/a.txt?inline=true"],
  ["download", "HEAD", "/api/raw/a.txt"],
  ["download", "GET", "/api/raw/a.txt", { range: "bytes=0-0" }],
  ["download", "GET", "/api/raw/a.txt", { range: "bytes=900-" }],
  ["download", "GET", "/api/raw/a.txt", { "if-none-match": "*" }],
  ["download", "GET", "/api/raw/none.txt"],
  ["download", "GET", "/api/resources/a.txt?checksum=sha256"],
  ["download", "GET", "/api/raw/folder/"],
  ["download", "GET", "/api/raw/folder/?algo=tar"],
  ["download", "GET", "/api/raw/folder/", { range: "bytes=0-0" }],
  ["download", "GET", "/api/raw/?files=a.txt"],
  ["download", "GET", "/api/raw/?files=a.txt,none.txt"],
  ["download", "HEAD", "/api/raw/folder/"],
  ["download", "GET", "/api/preview/thumb/a.txt"],
  ["download", "GET", "/api/preview/big/dot.png"],
  ["download", "HEAD", "/api/preview/big/dot.png"],
  ["download", "GET", "/api/subtitle/film.srt"],
  ["download", "HEAD", "/api/subtitle/film.srt"],
  ["download", "GET", "/api/archive/a.txt"],
  ["download", "HEAD", "/api/archive/a.txt?entry=b"],
  ["create", "POST", "/api/resources/new.txt"],
  ["create", "POST", "/api/resources/new/"],
  ["create", "POST", "/api/resources/deep/new.txt"],
  ["create", "POST", "/api/resources/a.txt?override=true"],
  ["create", "POST", "/api/resources/folder/"],
  ["create", "POST", "/api/uploads/"],
  ["create", "PATCH", "/api/resources/a.txt?action=copy&destination=/b.txt"],
  ["create", "PATCH", "/api/resources/folder?action=copy&destination=/new"],
  ["create", "PATCH", "/api/resources/none.txt?action=copy&destination=/b.txt"],
  ["modify", "POST", "/api/resources/a.txt?override=true"],
  ["modify", "PUT", "/api/resources/a.txt"],
  ["modify", "PUT", "/api/resources/none.txt"],
  ["modify", "PATCH", "/api/resources/film.srt?action=copy&destination=/a.txt&override=true"],
  ["modify", "PATCH", "/api/resources/film.srt?action=rename&destination=/a.txt&override=true"],
  ["rename", "PATCH", "/api/resources/a.txt?action=rename&destination=/b.txt"],
  ["rename", "PATCH", "/api/resources/folder?action=rename&destination=/new"],
  ["rename", "PATCH", "/api/resources/none.txt?action=rename&destination=/b.txt"],
  ["delete", "DELETE", "/api/resources/a.txt"],
  ["delete", "DELETE", "/api/resources/folder"],
  ["delete", "DELETE", "/api/resources/none.txt"],
  ["share", "POST", "/api/share/a.txt"],
  ["share", "POST", "/api/share/none.txt"],
  ["share", "GET", "/api/share/a.txt"],
  ["share", "GET", "/api/shares"],
  ["download", "POST", "/api/share/a.txt"],
];

for (const permission of new Set(needs.map(([permission]) => permission))) {
  Deno.test(`without the permission to ${permission}, nothing that needs it is done`, async () => {
    const { token } = await app.addUser(permission, { perm: { [permission]: false } });
    for (const [needed, method, path, headers] of needs) {
      if (needed !== permission) continue;
      const writes = path.startsWith("/api/resources") && (method === "POST" || method === "PUT");
      const body = writes ? "new" : undefined;
      const answer = await app.call(method, path, { token, headers, body });
      assert.equal(answer.status, 403, `${method} ${path} ${JSON.stringify(headers ?? {})}`);
      assert.doesNotMatch(await answer.text(), /former/);
    }
    const names = [...Deno.readDirSync(app.root)].map(({ name }) => name).sort();
    assert.deepEqual(names, ["a.txt", "dot.png", "film.srt", "folder"]);
    assert.equal(Deno.readTextFileSync(join(app.root, "a.txt")), "former");
  });
}

Deno.test("without the permission to download, a description holds no content", async () => {
  const token = await app.tokenOf("download");
  const answer = await app.call("GET", "/api/resources/a.txt", { token });
  assert.equal(answer.status, 200);
  assert.doesNotMatch(await answer.text(), /former/);
});

Deno.test("a search and the space used need a session alone, and tell of no content", async () => {
  const none = { create: false, delete: false, download: false, modify: false, rename: false };
  const { token } = await app.addUser("reader", { perm: { ...none, share: false } });
  for (const path of ["/api/search/?query=a", "/api/usage/", "/api/resources/"]) {
    assert.equal((await app.call("GET", path)).status, 401, path);
    const answer = await app.call("GET", path, { token });
    assert.equal(answer.status, 200, path);
    assert.doesNotMatch(await answer.text(), /former/);
  }
});

Deno.test("an administrator needs no other permission", async () => {
  const none = { create: false, delete: false, download: false, modify: false };
  const { token } = await app.addUser("boss", { perm: { ...none, admin: true } });
  const answer = await app.call("POST", "/api/resources/boss.txt", { token, body: "x" });
  assert.equal(answer.status, 200);
  await answer.body?.cancel();
  const removed = await app.call("DELETE", "/api/resources/boss.txt", { token });
  assert.equal(removed.status, 200);
  await removed.body?.cancel();
});
