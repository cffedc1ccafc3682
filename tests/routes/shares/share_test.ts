import assert from "node:assert/strict";
import type { ShareInfo, ShareWithToken } from "../../../lib/shared/schemas/share.ts";
import { atLater } from "../../support/run/clock.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({
  tree: {
    anna: { album: { "sea.jpg": "sea", deep: { "sky.txt": "sky" } }, "a.txt": "0123456789" },
    bert: { "b.txt": "b" },
  },
});
Deno.test.afterAll(app.close);
const anna = await app.addUser("anna", { scope: "/anna" });
const bert = await app.addUser("bert", { scope: "/bert" });
const admin = await app.tokenOf("admin");

async function share(path: string, json?: object, token = anna.token): Promise<ShareWithToken> {
  const answer = await app.call("POST", `/api/share${path}`, { token, json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return await answer.json();
}

async function sharesAt(path: string, token: string): Promise<string[]> {
  const answer = await app.call("GET", path, { token });
  assert.equal(answer.status, 200);
  return (await answer.json()).map(({ hash }: ShareInfo) => hash);
}

Deno.test("sharing takes a session with the permissions to share and to download", async () => {
  const lacking = [
    await app.addUser("no-share", { scope: "/anna", perm: { share: false } }),
    await app.addUser("no-download", { scope: "/anna", perm: { download: false } }),
  ];
  for (const { token } of lacking) {
    const answer = await app.call("POST", "/api/share/a.txt", { token });
    await assertRefused(answer, 403, "forbidden");
  }
  const listing = await app.call("GET", "/api/shares", { token: lacking[0]?.token });
  await assertRefused(listing, 403, "forbidden");
  await assertRefused(await app.call("POST", "/api/share/a.txt"), 401, "not_signed_in");
});

Deno.test("what is not there, or may not be known of, is not shared", async () => {
  const { token } = anna;
  await assertRefused(await app.call("POST", "/api/share/none", { token }), 404, "not_found");
  const climbing = await app.call("POST", "/api/share/a%2fb.txt", { token });
  await assertRefused(climbing, 400, "invalid_path");
  const rules = [deny("/a.txt")];
  const ruled = await app.addUser("ruled", { scope: "/anna", rules });
  const answer = await app.call("POST", "/api/share/a.txt", { token: ruled.token });
  await assertRefused(answer, 403, "forbidden");
});

Deno.test("a share's duration and password are checked before it is made", async () => {
  const { token } = anna;
  const before = await sharesAt("/api/shares", token);
  const refused = [
    { expires: -1 },
    { expires: 1.5 },
    { expires: 2 ** 31 },
    { expires: "1e3" },
    { expires: "ten" },
    { expires: true },
    { expires: 1, unit: "weeks" },
    { expires: 1, unit: "constructor" },
    { password: 5 },
  ];
  for (const json of refused) {
    const answer = await app.call("POST", "/api/share/a.txt", { token, json });
    await assertRefused(answer, 400, "invalid_body");
  }
  const json = { password: "ü".repeat(37) };
  const long = await app.call("POST", "/api/share/a.txt", { token, json });
  await assertRefused(long, 400, "invalid_password");
  assert.deepEqual(await sharesAt("/api/shares", token), before);
});

Deno.test("a share lasts for ever, or as long as body or query say", async () => {
  const now = Math.floor(Date.now() / 1000);
  const near = (expire: number, seconds: number) =>
    assert.ok(Math.abs(expire - now - seconds) < 60);
  const forever = await share("/a.txt");
  assert.deepEqual(
    { ...forever, hash: "" },
    { hash: "", path: "/a.txt", userID: anna.user.id, expire: 0, hasPassword: false, token: "" },
  );
  assert.match(forever.hash, /^[\w-]{22}$/);
  assert.equal((await share("/a.txt", { expires: "", unit: "" })).expire, 0);
  assert.equal((await share("/a.txt", { expires: 0, unit: "days" })).expire, 0);
  near((await share("/a.txt", { expires: 3 })).expire, 3 * 3_600);
  near((await share("/a.txt", { expires: "2", unit: "days" })).expire, 2 * 86_400);
  near((await share("/a.txt?expires=5&unit=minutes")).expire, 300);
  assert.equal((await share("/album/", { password: "x" })).hasPassword, true);
});

Deno.test("the calls about one entry give a token that stands in for the password", async () => {
  const { hash, token } = await share("/a.txt", { password: "open sesame" });
  const [listed] = (await (await app.call("GET", "/api/share/a.txt", { token: anna.token })).json())
    .filter((each: ShareInfo) => each.hash === hash);
  for (const proof of [token, listed.token]) {
    const answer = await app.call("GET", `/api/public/dl/${hash}?token=${proof}`);
    await assertStatus(answer, 200);
  }
  const all = await (await app.call("GET", "/api/shares", { token: anna.token })).json();
  assert.ok(!all.some((each: object) => "token" in each));
});

Deno.test("shares are listed to their owner, and all to administrators", async () => {
  const own = await share("/album/deep");
  const foreign = await share("/b.txt", undefined, bert.token);
  for (const path of ["/api/share/album/deep", "/api/share/album/deep/"]) {
    assert.deepEqual(await sharesAt(path, anna.token), [own.hash]);
  }
  const mine = await sharesAt("/api/shares", anna.token);
  assert.ok(mine.includes(own.hash) && !mine.includes(foreign.hash));
  const all = await sharesAt("/api/shares", admin);
  assert.ok(all.includes(own.hash) && all.includes(foreign.hash));
  assert.deepEqual(await sharesAt("/api/share/anna/album/deep", admin), [own.hash]);
});

Deno.test("a share is ended by its owner or an administrator, by its whole hash", async () => {
  const [one, two] = [await share("/a.txt"), await share("/a.txt")];
  const remove = (hash: string, token: string) =>
    app.call("DELETE", `/api/share/${hash}`, { token });
  await assertRefused(await remove(one.hash, bert.token), 403, "forbidden");
  for (const hash of ["", one.hash.slice(0, 10), `${one.hash}/x`, `${one.hash}x`]) {
    await assertRefused(await remove(hash, anna.token), 404, "not_found");
  }
  await assertStatus(await remove(one.hash, anna.token), 200);
  await assertStatus(await remove(two.hash, admin), 200);
  await assertRefused(await remove(one.hash, anna.token), 404, "not_found");
  await assertRefused(await app.call("GET", `/api/public/share/${two.hash}`), 404, "not_found");
});

Deno.test("visitors are told of what is shared, and download it", async () => {
  const { hash } = await share("/album");
  const folder = await (await app.call("GET", `/api/public/share/${hash}`)).json();
  assert.equal(folder.name, "album");
  assert.equal(folder.path, "/");
  assert.equal(folder.token, "");
  assert.deepEqual(folder.items.map(({ path }: { path: string }) => path), ["/deep", "/sea.jpg"]);
  const file = await (await app.call("GET", `/api/public/share/${hash}/deep/sky.txt`)).json();
  assert.deepEqual([file.name, file.path, file.size], ["sky.txt", "/deep/sky.txt", 3]);

  const download = await app.call("GET", `/api/public/dl/${hash}/sea.jpg`);
  assert.equal(await download.text(), "sea");
  assert.match(download.headers.get("content-disposition") ?? "", /^attachment; /);
  const inline = await app.call("GET", `/api/public/dl/${hash}/sea.jpg?inline=true`);
  assert.match(inline.headers.get("content-disposition") ?? "", /^inline; /);
  await inline.body?.cancel();
  const archive = await app.call("GET", `/api/public/dl/${hash}?algo=tar`);
  assert.match(archive.headers.get("content-disposition") ?? "", /filename="album.tar"/);
  assert.match(await archive.text(), /deep\/sky\.txt/);
  const some = await app.call("GET", `/api/public/dl/${hash}/?files=sea.jpg,deep&algo=tar`);
  assert.match(await some.text(), /sea\.jpg/);
});

Deno.test("a single file that is shared is its own root, and has ranges", async () => {
  const { hash } = await share("/a.txt");
  const about = await (await app.call("GET", `/api/public/share/${hash}`)).json();
  assert.deepEqual([about.name, about.isDir, about.size], ["a.txt", false, 10]);
  const headers = { range: "bytes=2-4" };
  const part = await app.call("GET", `/api/public/dl/${hash}`, { headers });
  assert.equal(part.status, 206);
  assert.equal(part.headers.get("content-range"), "bytes 2-4/10");
  await part.body?.cancel();
  const head = await app.call("HEAD", `/api/public/dl/${hash}`);
  assert.equal(head.headers.get("content-length"), "10");
});

Deno.test("whatever path follows the hash of a shared file is the file", async () => {
  const { hash } = await share("/album/deep/sky.txt");
  for (const after of ["/", "/sky.txt", "/album/deep/sky.txt", "/other/name%20%25.txt", "/a//b/"]) {
    const file = await app.call("GET", `/api/public/dl/${hash}${after}`);
    assert.deepEqual([file.status, await file.text()], [200, "sky"], after);
    assert.match(file.headers.get("content-disposition") ?? "", /filename="sky\.txt"/);
    const about = await (await app.call("GET", `/api/public/share/${hash}${after}`)).json();
    assert.deepEqual([about.name, about.path, about.isDir], ["sky.txt", "/", false], after);
    const page = await app.call("GET", `/share/${hash}${after}`);
    assert.match(await page.text(), /sky\.txt/);
    assert.equal(page.status, 200, after);
  }
  const head = await app.call("HEAD", `/api/public/dl/${hash}/album/deep/sky.txt`);
  assert.equal(head.headers.get("content-length"), "3");
  const bad = await app.call("GET", `/api/public/dl/${hash}/..%2fa.txt`);
  await assertRefused(bad, 400, "invalid_path");

  const folder = await share("/album");
  for (const after of ["/album/sea.jpg", "/sky.txt"]) {
    const missing = await app.call("GET", `/api/public/dl/${folder.hash}${after}`);
    await assertRefused(missing, 404, "not_found");
  }
});

Deno.test("the path after the hash of a shared file goes round neither password nor limit", async () => {
  const closed = await share("/album/deep/sky.txt", { password: "seven grey seals" });
  const asked = await app.call("GET", `/api/public/dl/${closed.hash}/album/deep/sky.txt`);
  await assertRefused(asked, 401, "password_required");
  const { hash } = await share("/album/deep/sky.txt", { downloadLimit: 1 });
  const paths = ["/sky.txt", "/album/deep/sky.txt"];
  const answers = [];
  for (const path of paths) {
    const answer = await app.call("GET", `/api/public/dl/${hash}${path}`);
    answers.push(answer.status);
    await answer.body?.cancel();
  }
  assert.deepEqual(answers, [200, 404]);
});

Deno.test("a change of a shared file names it exactly", async () => {
  const { hash } = await share("/a.txt", { audience: [{ name: "bert", may: "edit" }] });
  const path = `/api/public/share/${hash}/album/a.txt`;
  const saved = await app.call("PUT", path, { token: bert.token, body: "x" });
  await assertRefused(saved, 409, "exists");
  const removed = await app.call("DELETE", path, { token: bert.token });
  await assertRefused(removed, 404, "not_found");
  const file = await app.call("GET", "/api/raw/a.txt", { token: anna.token });
  assert.equal(await file.text(), "0123456789");
});

Deno.test("a share with a password opens by header, and then by a token of its own", async () => {
  const { hash } = await share("/album", { password: "Grüße & 100%" });
  const headers = { "x-share-password": encodeURIComponent("Grüße & 100%") };
  const { token } = await (await app.call("GET", `/api/public/share/${hash}`, { headers })).json();
  const file = await app.call("GET", `/api/public/dl/${hash}/sea.jpg?token=${token}`);
  assert.equal(await file.text(), "sea");
  const other = await share("/album", { password: "another one" });
  const foreign = await app.call("GET", `/api/public/dl/${other.hash}/sea.jpg?token=${token}`);
  await assertRefused(foreign, 401, "password_required");
  await assertStatus(await app.call("DELETE", `/api/share/${hash}`, { token: anna.token }), 200);
  const late = await app.call("GET", `/api/public/dl/${hash}/sea.jpg?token=${token}`);
  await assertRefused(late, 404, "not_found");
});

Deno.test("a share goes with what it shares, when that is moved or deleted", async () => {
  const call = async (method: string, path: string) =>
    await assertStatus(await app.call(method, `/api/resources${path}`, { token: anna.token }), 200);
  await call("POST", "/box/");
  await call("POST", "/box/in/");
  await call("POST", "/boxer/");
  const [box, inner, neighbour] = [
    await share("/box"),
    await share("/box/in"),
    await share("/boxer"),
  ];
  const byAdmin = await share("/anna/box/in", undefined, admin);

  await call("PATCH", "/box?action=rename&destination=/crate");
  const open = async ({ hash }: ShareInfo) =>
    (await (await app.call("GET", `/api/public/share/${hash}`)).json()).name;
  assert.deepEqual([await open(box), await open(inner), await open(byAdmin)], [
    "crate",
    "in",
    "in",
  ]);
  assert.deepEqual(await sharesAt("/api/share/crate", anna.token), [box.hash]);

  await call("DELETE", "/crate/");
  for (const { hash } of [box, inner, byAdmin]) {
    await assertRefused(await app.call("GET", `/api/public/share/${hash}`), 404, "not_found");
  }
  assert.equal(await open(neighbour), "boxer");
  const left = await sharesAt("/api/shares", admin);
  assert.ok(![box, inner, byAdmin].some(({ hash }) => left.includes(hash)));
});

Deno.test("the shares of a user who is deleted are gone", async () => {
  const { user, token } = await app.addUser("carl", { scope: "/anna" });
  const { hash } = await share("/a.txt", undefined, token);
  const json = { current_password: app.admin.password };
  await assertStatus(
    await app.call("DELETE", `/api/users/${user.id}`, { token: admin, json }),
    200,
  );
  await assertRefused(await app.call("GET", `/api/public/share/${hash}`), 404, "not_found");
  assert.ok(!(await sharesAt("/api/shares", admin)).includes(hash));
});

Deno.test("what has expired leaves no record, and what has not stays", async () => {
  const { store, shares } = app.cubby;
  const brief = await share("/a.txt", { expires: 1, unit: "seconds" });
  const lasting = await share("/a.txt", { expires: 1, unit: "days" });
  const named = async (hash: string) => {
    const prefixes = [["shares"], ["user_shares"], ["target_shares"]];
    const entries = (await Promise.all(prefixes.map((prefix) => store.list(prefix)))).flat();
    return entries.filter(({ key }) => key.at(-1) === hash).length;
  };
  await atLater(60_000, () => shares.removeExpired());
  assert.equal(await named(brief.hash), 0);
  assert.equal(await named(lasting.hash), 3);
});
