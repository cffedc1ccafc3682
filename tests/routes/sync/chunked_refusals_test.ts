/** Uploads in chunks that are refused, and what they leave. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { userPassword } from "../../support/server/app_parts.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { addressOf, app, assertNothingLeft, hidden, read, uploadOf } from "./chunked_upload.ts";

Deno.test("without --sync-clients there are no uploads in chunks", async () => {
  await using off = await startApp({ config: { webdav: true } });
  const headers = { authorization: basic("admin", off.admin.password) };
  await assertStatus(await off.call("PUT", "/remote.php/dav/uploads/admin/1/1", { headers }), 404);
  await assertStatus(await off.call("MKCOL", "/remote.php/dav/uploads/admin/1", { headers }), 405);
});

Deno.test("an upload of another user, or without a sign-in, is not there", async () => {
  const own = uploadOf();
  await assertStatus(await own.begin(), 201);
  const call = (method: string, headers = {}) => app.call(method, own.at("/1"), { headers });
  await assertStatus(await call("PUT"), 401);
  const ben = { authorization: basic("ben", userPassword), "content-length": "0" };
  await assertStatus(await call("PUT", ben), 404);
  await assertStatus(await call("PROPFIND", ben), 404);
  const as = (path: string) => path.replace("/anna/", "/ben/");
  await assertStatus(await app.call("PUT", as(own.at("/1")), { headers: ben }), 404);
  await assertStatus(await app.call("DELETE", as(own.at("")), { headers: ben }), 404);
  await assertStatus(await own.drop(), 204);
  await assertNothingLeft("anna");
});

Deno.test("an upload that was not begun, or has no such chunk, is not there", async () => {
  const upload = uploadOf();
  await assertStatus(await upload.put("1", "a"), 404);
  await assertStatus(await upload.list(), 404);
  await assertStatus(await upload.move("/new.txt"), 404);
  await assertStatus(await upload.drop(), 404);
  await assertStatus(await upload.begin(), 201);
  await assertStatus(await upload.begin(), 405);
  await assertStatus(await upload.call("DELETE", "/7"), 404);
  await assertStatus(await upload.call("PROPFIND", "/7"), 404);
  for (const name of ["a", ".file", "..", "1/2", "%2e%2e%2fx", "-1", "1%00"]) {
    assert.ok([400, 404].includes((await upload.put(name, "x")).status), name);
  }
  await assertStatus(await upload.drop(), 204);
  await assertNothingLeft("anna");
});

Deno.test("MKCOL refuses a target out of reach, and a length that does not fit", async () => {
  const upload = uploadOf();
  const to = (path: string) => ({ destination: addressOf("anna", path) });
  await assertStatus(await upload.begin(to("/none/new.txt")), 409);
  await assertStatus(await upload.begin(to("/deep")), 405);
  await assertStatus(await upload.begin({ ...to("/own.txt"), overwrite: "F" }), 412);
  await assertStatus(await upload.begin({ ...to("/own.txt"), "if-none-match": "*" }), 412);
  await assertStatus(await upload.begin({ destination: addressOf("ben", "/a.txt") }), 404);
  await assertStatus(await upload.begin({ destination: "http://other.test/a.txt" }), 502);
  await assertStatus(
    await upload.begin({ ...to("/new.txt"), "oc-total-length": "999999999999999" }),
    507,
  );
  await assertStatus(await upload.begin({ "oc-total-length": "999999999999999" }), 507);
  await assertNothingLeft("anna");
});

Deno.test("a quota refuses the whole length before the first byte", async () => {
  await Deno.mkdir(join(app.root, "quota"), { recursive: true });
  await app.addUser("quota", { scope: "quota", quota: { bytes: 1000 } });
  const upload = uploadOf("quota");
  const refused = await upload.begin({ "oc-total-length": "2000" });
  assert.equal(refused.status, 507);
  assert.match(await refused.text(), /Cannot begin the upload: the quota of 1000 bytes/);
  await assertStatus(await upload.begin({ "oc-total-length": "800" }), 201);
  const other = uploadOf("quota");
  await assertStatus(await other.begin({ "oc-total-length": "800" }), 507);
  await assertStatus(await other.begin(), 201);
  await assertStatus(await other.put("1", "x".repeat(800)), 507);
  await assertStatus(await upload.drop(), 204);
  await assertStatus(await other.put("1", "x".repeat(800)), 201);
  await assertStatus(await other.put("2", "x".repeat(800)), 507);
  await assertStatus(await other.move("/a.bin"), 201);
  assert.equal((await read("quota/a.bin")).length, 800);
  await assertStatus(await uploadOf("quota").begin({ "oc-total-length": "300" }), 507);
  await assertNothingLeft("quota");
});

Deno.test("rights, rules and read-only tokens count for each step", async () => {
  await app.addUser("reader", { scope: "anna", perm: { create: false, modify: false } });
  await assertStatus(await uploadOf("reader").begin(), 403);
  await app.addUser("editor", { scope: "anna", perm: { create: false } });
  await Deno.writeTextFile(join(app.root, "anna/edited.txt"), "before");
  for (const destination of [undefined, addressOf("editor", "/edited.txt")]) {
    const edit = uploadOf("editor");
    await assertStatus(await edit.begin(destination ? { destination } : {}), 201);
    await assertStatus(await edit.put("1", `after ${destination}`), 201);
    await assertStatus(await edit.move("/made.txt"), 403);
    await assertStatus(await edit.move("/edited.txt"), 204);
    assert.equal(await read("anna/edited.txt"), `after ${destination}`);
  }
  await app.addUser("ruled", {
    scope: "ben",
    rules: [{ path: "/closed", allow: false }] as never,
  });
  const denied = uploadOf("ruled");
  await assertStatus(
    await denied.begin({ destination: addressOf("ruled", "/closed/a.txt") }),
    403,
  );
  await assertStatus(await denied.begin(), 201);
  await assertStatus(await denied.put("1", "a"), 201);
  await assertStatus(await denied.move("/closed/a.txt"), 403);
  await assertStatus(await denied.drop(), 204);
  await app.addUser("keeper", { scope: "anna", perm: { modify: false } });
  const keeper = uploadOf("keeper");
  await assertStatus(
    await keeper.begin({ destination: addressOf("keeper", "/own.txt") }),
    403,
  );
  await assertStatus(await keeper.begin(), 201);
  await assertStatus(await keeper.put("1", "a"), 201);
  await assertStatus(await keeper.move("/own.txt"), 403);
  await assertStatus(await keeper.move("/kept-new.txt"), 201);
  assert.equal(await read("anna/own.txt"), "own");
  await assertNothingLeft("anna");
});

Deno.test("a token does not continue what another, or a password, has begun", async () => {
  const session = await app.tokenOf("anna");
  const token = async (body: object) => {
    const answer = await app.call("POST", "/api/tokens", {
      token: session,
      json: { current_password: userPassword, ...body },
    });
    assert.equal(answer.status, 201, await answer.clone().text());
    const { token } = await answer.json();
    return basic("anna", token);
  };
  const own = await token({ name: "one", write: true });
  const other = await token({ name: "two", write: true });
  const reading = await token({ name: "three" });
  const bound = await token({ name: "four", write: true, folder: "/deep" });
  await assertStatus(await uploadOf("anna", reading).begin(), 403);
  const upload = uploadOf("anna", own);
  await assertStatus(await upload.begin(), 201);
  await assertStatus(await upload.put("1", "mine"), 201);
  for (const authorization of [other, bound, basic("anna", userPassword)]) {
    const headers = { authorization, "content-length": "1" };
    await assertStatus(await upload.call("PUT", "/1", { body: "x", headers }), 404);
    await assertStatus(await upload.call("PROPFIND", "", { headers }), 404);
    await assertStatus(await upload.call("DELETE", "", { headers }), 404);
  }
  await assertStatus(await upload.move("/by token.txt"), 201);
  assert.equal(await read("anna/by token.txt"), "mine");
  const inFolder = uploadOf("anna", bound);
  await assertStatus(await inFolder.begin(), 201);
  await assertStatus(await inFolder.put("1", "bound"), 201);
  assert.equal(hidden("anna/deep").length, 1);
  await assertStatus(await inFolder.move("/../bound.txt"), 404);
  await assertStatus(await inFolder.move("/bound.txt"), 201);
  assert.equal(await read("anna/deep/bound.txt"), "bound");
  await assertNothingLeft("anna");
});
