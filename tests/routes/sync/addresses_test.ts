import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { davClient, hrefsOf } from "../../support/clients/dav.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { syncClients: true },
  tree: { "a.txt": "one", folder: { "b.txt": "two", "c.txt": "three" } },
});
Deno.test.afterAll(app.close);

const [newer, older] = ["/remote.php/dav/files/admin", "/remote.php/webdav"] as const;
const at = (prefix: string) => davClient(app, undefined, prefix);

Deno.test("without --sync-clients nothing is at /remote.php, whoever asks", async () => {
  await using off = await startApp({ config: { webdav: true }, tree: { "a.txt": "one" } });
  for (const prefix of [newer, older]) {
    const dav = davClient(off, undefined, prefix);
    await assertStatus(await dav("GET", "/a.txt"), 404);
    await assertStatus(await dav("PUT", "/new.txt", { body: "x" }), 404);
    await assertRefused(await dav("PROPFIND", "/"), 405, "method_not_allowed");
    await assertRefused(await dav("REPORT", "/"), 405, "method_not_allowed");
  }
});

Deno.test("the option opens no /dav", async () => {
  await assertRefused(await at("/dav")("PROPFIND", "/"), 405, "method_not_allowed");
  await assertStatus(await at("/dav")("GET", "/a.txt"), 404);
});

Deno.test("the files are at both addresses, which their responses name", async () => {
  for (const prefix of [newer, older]) {
    const answer = await at(prefix)("PROPFIND", "/", { headers: { depth: "1" } });
    assert.equal(answer.status, 207);
    const hrefs = hrefsOf(await answer.text()).sort();
    assert.deepEqual(hrefs, ["/", "/a.txt", "/folder/"].map((path) => prefix + path));
    assert.equal(await (await at(prefix)("GET", "/folder/b.txt")).text(), "two");
  }
});

Deno.test("a request without a password, or for another user's files, gets nothing", async () => {
  await app.addUser("anna");
  await assertStatus(await app.call("PROPFIND", `${newer}/`), 401);
  const others = ["/remote.php/dav/files/anna", "/remote.php/dav/files"];
  for (const prefix of [...others, "/remote.php/dav/files/admin%2Fx"]) {
    await assertStatus(await at(prefix)("PROPFIND", "/"), 404);
    await assertStatus(await at(prefix)("PUT", "/new.txt", { body: "x" }), 404);
  }
  await assertStatus(await at("/remote.php/dav")("PROPFIND", "/"), 405, "there, clients search");
});

Deno.test("a move names its destination by either address, and no other user's", async () => {
  const move = (destination: string) =>
    at(newer)("MOVE", "/folder/c.txt", { headers: { destination } });
  await assertStatus(await move("/remote.php/dav/files/anna/a.txt"), 404);
  await assertStatus(await move("/dav/a.txt"), 403);
  await assertStatus(await move("/remote.php/dav/uploads/admin/a.txt"), 404);
  await assertStatus(await move(`${older}/folder/moved.txt`), 201);
  assert.equal(await Deno.readTextFile(join(app.root, "folder/moved.txt")), "three");
});
