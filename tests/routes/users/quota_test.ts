import assert from "node:assert/strict";
import { delay } from "../../../lib/shared/delay.ts";
import { expireTrash } from "../../../lib/server/files/trash/expire_trash.ts";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const kilobyte = "k".repeat(1000);

/** A user whose scope is a folder of its own with a quota. */
async function holder(app: TestApp, quota: { bytes?: number; files?: number }, scope = "/home") {
  await Deno.mkdir(app.root + scope, { recursive: true });
  const name = `u${crypto.randomUUID().slice(0, 8)}`;
  const { token, user } = await app.addUser(name, { scope, quota });
  const call = (method: string, path: string, options = {}) =>
    app.call(method, path, { token, ...options });
  const put = (path: string, body: string, method = "POST", query = "") => {
    const headers = { "content-length": String(body.length) };
    return call(method, `/api/resources${path}${query}`, { body, headers });
  };
  const usage = async () => (await (await call("GET", "/api/usage/")).json());
  return { call, put, usage, token, user };
}

function namesIn(app: TestApp, folder: string): string[] {
  return [...Deno.readDirSync(app.root + folder)].map(({ name }) => name).sort();
}

async function versionsOff(app: TestApp) {
  const settings = await app.cubby.settings.get();
  const trash = { ...settings.trash, versions: false };
  await app.cubby.settings.update({ ...settings, trash });
}

Deno.test("an upload over the quota is refused, and leaves nothing behind", async () => {
  await using app = await startApp({ tree: { home: { "old.txt": kilobyte } } });
  const { put, call, usage } = await holder(app, { bytes: 2500 });
  await assertStatus(await put("/a.txt", kilobyte), 200);
  const told = await assertRefused(await put("/deep/b.txt", kilobyte), 507, "over_quota");
  assert.match(told, /quota of 2500 bytes has 500 left/);
  // Of unknown length: as soon as it is passed.
  const parts = ReadableStream.from([kilobyte, kilobyte]).pipeThrough(new TextEncoderStream());
  const unknown = await call("POST", "/api/resources/deep/c.txt", { body: parts });
  await assertRefused(unknown, 507, "over_quota");
  assert.deepEqual(namesIn(app, "/home"), ["a.txt", "old.txt"]);
  await assertStatus(await put("/d.txt", "k".repeat(500)), 200);
  assert.equal((await usage()).used, 2500);
});

Deno.test("a save over the quota leaves the former file as it was", async () => {
  await using app = await startApp({ tree: { home: { "a.txt": kilobyte } } });
  await versionsOff(app);
  const { put, call } = await holder(app, { bytes: 1500 });
  await assertRefused(await put("/a.txt", "n".repeat(1501), "PUT"), 507, "over_quota");
  const latin = { body: "n".repeat(1501) };
  const coded = await call("PUT", "/api/resources/a.txt?encoding=windows-1252", latin);
  await assertRefused(coded, 507, "over_quota");
  assert.equal(Deno.readTextFileSync(`${app.root}/home/a.txt`), kilobyte);
  assert.deepEqual(namesIn(app, "/home"), ["a.txt"]);
  // What is replaced makes room where no version of it is kept, also over the limit already.
  await assertStatus(await put("/a.txt", "n".repeat(1500), "PUT"), 200);
  await assertStatus(await put("/a.txt", "n".repeat(1500), "PUT"), 200);
  await assertStatus(await put("/a.txt", "n", "POST", "?override=true"), 200);
});

Deno.test("a previous version counts, and emptying the trash gives its room back", async () => {
  await using app = await startApp({ tree: { home: { "a.txt": kilobyte } } });
  const { put, call, usage } = await holder(app, { bytes: 2500, files: 10 });
  await assertStatus(await put("/a.txt", kilobyte, "PUT"), 200);
  const { quota } = await usage();
  assert.deepEqual([quota.usedBytes, quota.usedFiles], [2000, 2]);
  await assertRefused(await put("/a.txt", kilobyte, "PUT"), 507, "over_quota");
  await assertStatus(await call("DELETE", "/api/trash"), 200);
  assert.equal((await usage()).used, 1000);
  await assertStatus(await put("/a.txt", kilobyte, "PUT"), 200);
});

Deno.test("what is in the trash counts until it is deleted for good or restored", async () => {
  await using app = await startApp({ tree: { home: { folder: { a: kilobyte, b: kilobyte } } } });
  const { put, call, usage } = await holder(app, { bytes: 2500, files: 3 });
  await assertStatus(await call("DELETE", "/api/resources/folder?trash=true"), 200);
  await assertRefused(await put("/c", kilobyte), 507, "over_quota");
  assert.deepEqual((await usage()).quota.usedFiles, 3);
  const { items: [item] } = await (await call("GET", "/api/trash")).json();
  await assertStatus(await call("POST", `/api/trash/${item.id}`), 200);
  assert.equal((await usage()).used, 2000);
  await assertStatus(await call("DELETE", "/api/resources/folder?trash=false"), 200);
  assert.equal((await usage()).used, 0);
  await assertStatus(await put("/c", kilobyte), 200);
});

Deno.test("a quota of files counts files and folders", async () => {
  // Outside of the scope, so that also a disk in memory is in use.
  await using app = await startApp({ tree: { "elsewhere.txt": kilobyte } });
  const { put, call, usage } = await holder(app, { files: 5 });
  await assertStatus(await call("POST", "/api/resources/one/two/three/"), 200);
  await assertStatus(await put("/a", ""), 200);
  await assertStatus(await put("/b", ""), 200);
  const told = await assertRefused(await put("/c", ""), 507, "over_quota");
  assert.match(told, /quota of 5 files has 0 left/);
  const { total, used, quota } = await usage();
  assert.ok(total > 1e6 && used > 0, "without a limit of bytes the disk is told of");
  assert.deepEqual([quota.files, quota.usedFiles], [5, 5]);
  await assertRefused(await call("POST", "/api/resources/folder/"), 507, "over_quota");
  await assertRefused(await call("POST", "/api/tus/folder/"), 507, "over_quota");
  await assertStatus(await call("DELETE", "/api/resources/a"), 200);
  await assertStatus(await put("/c", ""), 200);
});

Deno.test("folders count in each way in, and their refusal leaves none behind", async () => {
  const home = { tree: { below: {}, a: "a" } };
  await using app = await startApp({ tree: { home }, config: { webdav: true } });
  const { put, call, usage, user } = await holder(app, { files: 12 });
  const used = async () => (await usage()).quota.usedFiles;
  const tus = (path: string) =>
    call("POST", `/api/tus${path}`, { headers: { "upload-length": "1" } });
  const copy = (to: string) => call("PATCH", `/api/resources/tree?action=copy&destination=${to}`);
  const recounted = async () => {
    const admin = await app.tokenOf("admin");
    await assertStatus(await app.call("POST", `/api/quotas/${user.id}`, { token: admin }), 200);
    return await used();
  };
  assert.equal(await used(), 3);
  await assertStatus(await put("/p1/p2/file", "x"), 200);
  assert.equal(await used(), 6);
  await assertStatus(await tus("/t1/t2/file"), 201);
  assert.equal(await used(), 9);
  const headers = {
    "upload-offset": "0",
    "content-type": "application/offset+octet-stream",
  };
  await assertStatus(await call("PATCH", "/api/tus/t1/t2/file", { headers, body: "x" }), 204);
  assert.equal(await used(), 9);
  assert.equal(await recounted(), 9, "as the disk has it");
  await assertRefused(await copy("/q1/twin"), 507, "over_quota");
  await assertRefused(await put("/q1/q2/q3/file", "x"), 507, "over_quota");
  await assertRefused(await tus("/q1/q2/q3/file"), 507, "over_quota");
  await assertStatus(await copy("/twin"), 200);
  assert.equal(await used(), 12);
  assert.equal(await recounted(), 12);
  await assertRefused(await call("POST", "/api/resources/q1/"), 507, "over_quota");
  assert.deepEqual(namesIn(app, "/home"), ["p1", "t1", "tree", "twin"]);
  await assertStatus(await call("DELETE", "/api/resources/p1?trash=true"), 200);
  assert.equal(await used(), 12, "the trash counts");
  await assertStatus(await call("DELETE", "/api/trash"), 200);
  assert.equal(await used(), 9);
});

Deno.test("a resumable upload reserves its room when it begins, and gives it back when dropped", async () => {
  await using app = await startApp();
  const { call, usage } = await holder(app, { bytes: 2500 });
  const begin = (path: string, length: number) =>
    call("POST", `/api/tus${path}`, { headers: { "upload-length": String(length) } });
  await assertRefused(await begin("/large", 2501), 507, "over_quota");
  await assertStatus(await begin("/a", 2000), 201);
  await assertRefused(await begin("/b", 1000), 507, "over_quota");
  assert.equal((await usage()).used, 2000);
  const send = (offset: number, bytes: number) =>
    call("PATCH", "/api/tus/a", {
      headers: {
        "upload-offset": String(offset),
        "content-type": "application/offset+octet-stream",
      },
      body: "k".repeat(bytes),
    });
  await assertStatus(await send(0, 1000), 204);
  assert.equal((await usage()).used, 2000);
  await assertStatus(await send(1000, 1000), 204);
  assert.equal((await usage()).used, 2000);
  await assertStatus(await begin("/b", 500), 201);
  await assertStatus(await call("DELETE", "/api/tus/b"), 204);
  assert.equal((await usage()).used, 2000);
  assert.deepEqual(namesIn(app, "/home"), ["a"]);
});

Deno.test("a copy of a folder over the rest of the quota is refused with nothing done", async () => {
  const folder = { a: kilobyte, deep: { b: kilobyte } };
  await using app = await startApp({ tree: { home: { folder } } });
  const { call, usage } = await holder(app, { bytes: 3999 });
  const copy = (to: string) =>
    call("PATCH", `/api/resources/folder?action=copy&destination=${encodeURIComponent(to)}`);
  await assertRefused(await copy("/made/twin"), 507, "over_quota");
  assert.deepEqual(namesIn(app, "/home"), ["folder"]);
  await assertStatus(await call("DELETE", "/api/resources/folder/a"), 200);
  await assertStatus(await copy("/made/twin"), 200);
  assert.equal((await usage()).used, 2000);
  const move = "/api/resources/made/twin?action=rename&destination=%2Ftwin";
  await assertStatus(await call("PATCH", move), 200);
  assert.equal((await usage()).used, 2000);
});

Deno.test("two users of one scope each have their limit over what lies in it", async () => {
  await using app = await startApp();
  const small = await holder(app, { bytes: 1500 }, "/shared");
  const large = await holder(app, { bytes: 3000 }, "/shared");
  await assertStatus(await large.put("/a", kilobyte), 200);
  await assertRefused(await small.put("/b", kilobyte), 507, "over_quota");
  await assertStatus(await large.put("/b", kilobyte), 200);
  assert.equal((await small.usage()).used, 2000);
});

Deno.test("what others put into a scope is counted before the next refusal or a while later", async () => {
  await using app = await startApp({ tree: { home: {} } });
  const { put, usage } = await holder(app, { bytes: 2500 });
  assert.equal((await usage()).used, 0);
  const token = await app.tokenOf("admin");
  const upload = () => app.call("POST", "/api/resources/home/x", { token, body: kilobyte });
  await assertStatus(await upload(), 200);
  for (const end = Date.now() + 20_000; (await usage()).used !== 1000;) {
    assert.ok(Date.now() < end, "it is counted");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await assertStatus(await put("/y", kilobyte), 200);
  await assertRefused(await put("/z", kilobyte), 507, "over_quota");
});

Deno.test("administrators list what is in use and have it counted, others do not", async () => {
  await using app = await startApp({ tree: { home: { a: kilobyte } } });
  const { user, call } = await holder(app, { bytes: 5000 });
  await assertRefused(await call("GET", "/api/quotas"), 403, "forbidden");
  await assertRefused(await call("POST", `/api/quotas/${user.id}`), 403, "forbidden");
  const token = await app.tokenOf("admin");
  await assertRefused(await app.call("POST", "/api/quotas/1", { token }), 501, "not_supported");
  await assertRefused(await app.call("POST", "/api/quotas/99", { token }), 404, "not_found");
  const counted = { bytes: 5000, files: 0, usedBytes: 1000, usedFiles: 1 };
  const answer = await app.call("POST", `/api/quotas/${user.id}`, { token });
  assert.deepEqual(await answer.json(), counted);
  const list = await (await app.call("GET", "/api/quotas", { token })).json();
  assert.deepEqual(list, [{ id: user.id, name: user.username, ...counted }]);
});

Deno.test("quotas are listed page by page, and found by the names of their users", async () => {
  await using app = await startApp();
  const names = ["ada", "ben", "cleo"];
  const quota = { bytes: 5000, files: 0 };
  for (const name of names) await app.addUser(name, { quota });
  await app.addUser("unlimited");
  const token = await app.tokenOf("admin");
  const seen: string[] = [];
  for (let next: string | undefined = "?limit=2"; next !== undefined;) {
    const answer = await app.call("GET", `/api/quotas${next}`, { token });
    const page = await answer.json();
    assert.ok(page.length <= 2);
    seen.push(...page.map(({ name }: { name: string }) => name));
    next = /^<(.*)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];
  }
  assert.deepEqual(seen, names);
  const found = await (await app.call("GET", "/api/quotas?query=CLE", { token })).json();
  assert.deepEqual(found.map(({ name }: { name: string }) => name), ["cleo"]);
  const bad = await app.call("GET", "/api/quotas?after=x", { token });
  await assertRefused(bad, 400, "invalid_option");
});

Deno.test("only administrators set quotas, and new users get that of the defaults", async () => {
  await using app = await startApp();
  const { user, call } = await holder(app, { bytes: 5000 });
  const change = (quota: unknown) => ({
    json: { what: "user", which: ["quota"], data: { quota } },
  });
  const own = await call("PUT", `/api/users/${user.id}`, change({ bytes: 0 }));
  await assertRefused(own, 403, "forbidden");
  const token = await app.tokenOf("admin");
  const put = (quota: unknown) =>
    app.call("PUT", `/api/users/${user.id}`, { token, ...change(quota) });
  for (const bad of [{ bytes: -1 }, { bytes: 1.5 }, { files: "many" }, { bytes: 2 ** 60 }, 7]) {
    await assertRefused(await put(bad), 400, "invalid_body");
  }
  await assertStatus(await put({ files: 7 }), 200);
  assert.deepEqual((await app.cubby.users.get(user.id)).quota, { bytes: 5000, files: 7 });
  await assertStatus(await put({ bytes: null }), 200);

  const settings = await app.cubby.settings.get();
  const defaults = { ...settings.defaults, quota: { bytes: 123, files: 0 } };
  const json = { ...settings, defaults, current_password: app.admin.password };
  await assertStatus(await app.call("PUT", "/api/settings", { token, json }), 200);
  const data = { username: "newcomer", password: "otters hold 9 hands" };
  const made = { what: "user", which: [], data, current_password: app.admin.password };
  await assertStatus(await app.call("POST", "/api/users", { token, json: made }), 201);
  assert.equal((await app.cubby.users.byName("newcomer"))?.quota.bytes, 123);
});

Deno.test("a scope whose last quota is gone is forgotten", async () => {
  await using app = await startApp({ inProcess: true });
  const { user, usage } = await holder(app, { bytes: 5000 });
  await usage();
  assert.equal((await app.cubby.quotas.ledger.list()).length, 1);
  await app.cubby.users.update(user.id, { quota: { bytes: 0, files: 0 } });
  assert.equal("quota" in await usage(), false);
  await app.cubby.quotas.verify();
  assert.deepEqual(await app.cubby.quotas.ledger.list(), []);
});

Deno.test("a scope is counted for the users who have a quota, and for no others", async () => {
  const tree = { free: { a: kilobyte }, held: { a: kilobyte } };
  await using app = await startApp({ inProcess: true, tree });
  const token = await app.tokenOf("admin");
  const { ledger } = app.cubby.quotas;
  for (const [name, bytes] of [["free", 0], ["held", 5000]] as const) {
    const data = { username: name, password: userPassword, scope: `/${name}`, quota: { bytes } };
    const json = { what: "user", which: [], data, current_password: app.admin.password };
    await assertStatus(await app.call("POST", "/api/users", { token, json }), 201);
  }
  const isCounted = async () => (await ledger.list()).some(({ used }) => used.bytes === 1000);
  while (!await isCounted()) await delay(10);
  assert.deepEqual((await ledger.list()).map(({ area }) => area), ["/held"]);
});

Deno.test("what expires in the trash gives its room back at once", async () => {
  await using app = await startApp({ tree: { home: {} } });
  const { put, call, usage } = await holder(app, { bytes: 2500, files: 10 });
  await assertStatus(await put("/a.txt", kilobyte), 200);
  await assertStatus(await put("/folder/b.txt", kilobyte), 200);
  const gone = await app.addUser("gone", { scope: "/home" });
  await Deno.writeTextFile(`${app.root}/home/c.txt`, "c");
  const lost = await app.call("DELETE", "/api/resources/c.txt?trash=true", { token: gone.token });
  await assertStatus(lost, 200);
  await app.cubby.users.remove(gone.user.id);
  for (const path of ["/a.txt", "/folder"]) {
    await assertStatus(await call("DELETE", `/api/resources${path}?trash=true`), 200);
  }
  assert.equal((await usage()).used, 2000, "the trash counts");
  const { cubby: { trash, gate, settings } } = app;
  const { trash: rules } = await settings.get();
  const later = Date.now() + (rules.days + 1) * 24 * 60 * 60_000;
  assert.equal(await expireTrash(trash, gate.spec(), { ...rules, leastFree: 0 }, later), 3);
  assert.equal((await usage()).used, 0);
  await assertStatus(await put("/a.txt", kilobyte + kilobyte), 200);
});
