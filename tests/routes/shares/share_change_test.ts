import assert from "node:assert/strict";
import type { ShareWithToken } from "../../../lib/shared/schemas/share.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: { anna: { album: { "sea.jpg": "sea", "sky.txt": "sky" }, "a.txt": "0123456789" } },
});
Deno.test.afterAll(app.close);
const anna = await app.addUser("anna", { scope: "/anna" });
const bert = await app.addUser("bert", { scope: "/anna" });
const admin = await app.tokenOf("admin");

async function share(path: string, json: object = {}): Promise<ShareWithToken> {
  const answer = await app.call("POST", `/api/share${path}`, { token: anna.token, json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return await answer.json();
}

function patch(hash: string, json: unknown, token = anna.token): Promise<Response> {
  return app.call("PATCH", `/api/share/${hash}`, { token, json });
}

async function change(hash: string, json: object, token?: string): Promise<ShareWithToken> {
  const answer = await patch(hash, json, token);
  assert.equal(answer.status, 200, await answer.clone().text());
  return await answer.json();
}

async function seen(hash: string): Promise<ShareWithToken> {
  const all = await (await app.call("GET", "/api/shares", { token: anna.token })).json();
  return all.find((each: ShareWithToken) => each.hash === hash);
}

Deno.test("a share is changed by its owner or an administrator, and by no one else", async () => {
  const { hash } = await share("/a.txt");
  await assertRefused(await patch(hash, {}, bert.token), 403, "forbidden");
  await assertRefused(await patch("none", {}), 404, "not_found");
  await assertRefused(await patch(`${hash}/x`, {}), 404, "not_found");
  await assertRefused(await patch(hash, [], anna.token), 400, "invalid_json");
  assert.equal((await change(hash, { viewOnly: true }, admin)).viewOnly, true);
  const moved = await patch(hash, { path: "/album" }, admin);
  await assertRefused(moved, 403, "forbidden");
});

Deno.test("an owner who may not share any more changes no share", async () => {
  const { user, token } = await app.addUser("fallen", { scope: "/anna" });
  const made = await app.call("POST", "/api/share/a.txt", { token, json: {} });
  const { hash } = await made.json();
  await app.cubby.users.update(user.id, { perm: { ...user.perm, share: false } });
  const again = await app.tokenOf("fallen");
  await assertRefused(await patch(hash, { expires: 0 }, again), 403, "forbidden");
});

Deno.test("what does not fit is refused, and nothing of the change is made", async () => {
  const { hash } = await share("/a.txt");
  const refused = [
    { name: "a" },
    { name: "-ab" },
    { name: "ab-" },
    { name: "a b c" },
    { name: "a/b" },
    { name: "sommer\u0000" },
    { name: "été" },
    { name: "x".repeat(65) },
    { downloadLimit: -1 },
    { downloadLimit: 1.5 },
    { downloadLimit: "5" },
    { viewOnly: "yes" },
    { linkPreview: 1 },
    { expires: -1 },
    { expires: 1, unit: "weeks" },
    { password: 5 },
    { path: 5 },
  ];
  for (const json of refused) {
    await assertRefused(await patch(hash, { viewOnly: true, ...json }), 400, "invalid_body");
  }
  await assertRefused(await patch(hash, { path: "/../x" }), 400, "invalid_path");
  await assertRefused(await patch(hash, { path: "/none" }), 404, "not_found");
  await assertRefused(await patch(hash, { password: "ü".repeat(37) }), 400, "invalid_password");
  assert.equal((await seen(hash)).viewOnly, undefined);
});

Deno.test("what is absent from a change stays", async () => {
  const { hash } = await share("/a.txt", { password: "open sesame", expires: 3 });
  const before = await seen(hash);
  await change(hash, { downloadLimit: 5 });
  assert.deepEqual(await seen(hash), { ...before, downloadLimit: 5 });
  await change(hash, { downloadLimit: 0, expires: 0, password: "" });
  const { expire, hasPassword, downloadLimit } = await seen(hash);
  assert.deepEqual([expire, hasPassword, downloadLimit], [0, false, undefined]);
});

Deno.test("a share leads to another entry once its path is changed, under the same address", async () => {
  const { hash } = await share("/a.txt");
  assert.equal((await change(hash, { path: "/album/sky.txt" })).path, "/album/sky.txt");
  const answer = await app.call("GET", `/api/public/dl/${hash}`);
  assert.equal(await answer.text(), "sky");
  const former = await app.call("GET", "/api/share/a.txt", { token: anna.token });
  assert.ok((await former.json()).every((each: ShareWithToken) => each.hash !== hash));
});

Deno.test("a name is a second address of a share, in any case, until it is another", async () => {
  const { hash } = await share("/album", { name: "Summer" });
  for (const address of [hash, "summer", "SUMMER"]) {
    const answer = await app.call("GET", `/api/public/share/${address}/sky.txt`);
    await assertStatus(answer, 200);
  }
  const page = await (await app.call("GET", "/share/summer")).text();
  assert.ok(page.includes("/share/summer/sky.txt") && !page.includes(hash));
  await change(hash, { name: "winter" });
  await assertRefused(await app.call("GET", "/api/public/share/summer"), 404, "not_found");
  await assertStatus(await app.call("GET", "/api/public/share/winter"), 200);
  await change(hash, { name: "" });
  await assertRefused(await app.call("GET", "/api/public/share/winter"), 404, "not_found");
  await assertStatus(await app.call("GET", `/api/public/share/${hash}`), 200);
});

Deno.test("a name that another share has is taken, until that one ends or expires", async () => {
  const first = await share("/a.txt", { name: "taken" });
  const second = await share("/album");
  await assertRefused(await patch(second.hash, { name: "taken" }), 409, "exists");
  const json = { name: "TAKEN" };
  const made = await app.call("POST", "/api/share/album", { token: anna.token, json });
  await assertRefused(made, 409, "exists");
  await change(first.hash, { expires: 1, unit: "hours" });
  await app.later(2 * 3_600_000, async () => {
    await app.cubby.shares.change(second.hash, { terms: { name: "taken" } });
  });
  await assertStatus(await app.call("GET", "/api/public/share/taken/sky.txt"), 200);
  await assertRefused(await app.call("GET", `/api/public/share/${first.hash}`), 404, "not_found");
  const end = await app.call("DELETE", `/api/share/${second.hash}`, { token: anna.token });
  await assertStatus(end, 200);
  assert.equal((await share("/a.txt", { name: "taken" })).name, "taken");
});

Deno.test("the owner sees how often a share was downloaded, and when it was used last", async () => {
  const { hash } = await share("/a.txt");
  assert.equal((await seen(hash)).lastUsed, undefined);
  await (await app.call("GET", `/api/public/share/${hash}`)).body?.cancel();
  const visited = await seen(hash);
  assert.ok(Math.abs((visited.lastUsed ?? 0) - Date.now() / 1000) < 60);
  assert.equal(visited.downloads, undefined);
  const address = `/api/public/dl/${hash}`;
  const etag = (await app.call("HEAD", address)).headers.get("etag") ?? "";
  for (
    const headers of [
      {},
      { range: "bytes=4-" },
      { "if-none-match": etag },
      { range: "bytes=99-" },
    ] as Record<string, string>[]
  ) {
    await (await app.call("GET", address, { headers })).body?.cancel();
  }
  await (await app.call("GET", `${address}?inline=true`)).body?.cancel();
  assert.equal((await seen(hash)).downloads, 1);
});

Deno.test("a share is over for visitors once its downloads are used up, and not for its owner", async () => {
  const { hash } = await share("/a.txt", { downloadLimit: 2 });
  const address = `/api/public/dl/${hash}`;
  for (const _ of [1, 2]) assert.equal(await (await app.call("GET", address)).text(), "0123456789");
  const over = [address, `/api/public/share/${hash}`, `/api/public/preview/thumb/${hash}`];
  for (const way of over) await assertRefused(await app.call("GET", way), 404, "not_found");
  assert.equal((await app.call("GET", `/share/${hash}`)).status, 404);
  assert.equal((await seen(hash)).downloads, 2);
  await change(hash, { downloadLimit: 3 });
  await assertStatus(await app.call("GET", address), 200);
});

Deno.test("a download that goes on counts once, also when it was the last one", async () => {
  const { hash } = await share("/a.txt", { downloadLimit: 1 });
  const address = `/api/public/dl/${hash}`;
  await assertStatus(await app.call("GET", address), 200);
  const rest = await app.call("GET", address, { headers: { range: "bytes=4-" } });
  assert.equal(await rest.text(), "456789");
  assert.equal((await seen(hash)).downloads, 1);
});

Deno.test("a view-only share shows files, offers no download, and hands out nothing to save", async () => {
  const { hash } = await share("/album", { viewOnly: true });
  const page = await (await app.call("GET", `/share/${hash}/sea.jpg`)).text();
  assert.ok(page.includes("inline=true") && !/href="[^"]*"[^>]* download/.test(page));
  const list = await (await app.call("GET", `/share/${hash}`)).text();
  assert.ok(!list.includes('name="algo"') && !list.includes('name="files"'));
  const shown = await app.call("GET", `/api/public/dl/${hash}/sea.jpg?inline=true`);
  assert.equal(await shown.text(), "sea");
  await change(hash, { downloadLimit: 1 });
  const text = await (await app.call("GET", `/share/${hash}/sky.txt`)).text();
  assert.ok(text.includes(">sky<"), "a limit on downloads that there are none of");
});

Deno.test("a link is unfurled where its owner wants it and no password protects it", async () => {
  const { hash } = await share("/album/sea.jpg");
  const page = async () => await (await app.call("GET", `/share/${hash}`)).text();
  assert.ok(!(await page()).includes("og:title"));
  await change(hash, { linkPreview: true });
  const shown = await page();
  assert.match(shown, /property="og:title" content="sea\.jpg"/);
  assert.match(shown, /property="og:image" content="http:\/\/cubby\.test\/api\/public\/preview/);
  await change(hash, { password: "open sesame" });
  const hidden = await page();
  assert.ok(!hidden.includes("og:") && !hidden.includes("sea.jpg"));
});
