// With two threads, too: downloads that are counted, links that end.
import assert from "node:assert/strict";
import type { ShareWithToken } from "../../../lib/shared/schemas/share.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    anna: {
      album: { "sea.jpg": "sea", "sky.txt": "sky", "song.svg": "<svg/>", "tool.exe": "MZ" },
      "a.txt": "0123456789",
    },
  },
});
Deno.test.afterAll(app.close);
const anna = await app.addUser("anna", { scope: "/anna" });

async function share(path: string, json: object = {}): Promise<ShareWithToken> {
  const answer = await app.call("POST", `/api/share${path}`, { token: anna.token, json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return await answer.json();
}

async function change(hash: string, json: object): Promise<void> {
  const answer = await app.call("PATCH", `/api/share/${hash}`, { token: anna.token, json });
  await assertStatus(answer, 200);
}

async function statusOf(path: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await app.call("GET", path, { headers });
  await answer.body?.cancel();
  return answer.status;
}

Deno.test("share: of fifty downloads at once as many pass as the limit says", async () => {
  const { hash } = await share("/a.txt", { downloadLimit: 5 });
  const ways = ["", "?inline=true", "/any.txt", "/?x=1"];
  const all = Array.from(
    { length: 50 },
    (_, index) => statusOf(`/api/public/dl/${hash}${ways[index % ways.length]}`),
  );
  const statuses = await Promise.all(all);
  assert.equal(statuses.filter((status) => status === 200).length, 5);
  assert.equal(statuses.filter((status) => status === 404).length, 45);
});

Deno.test("share: a limit is not gone round by ranges, conditions, archives or the page", async () => {
  const file = await share("/a.txt", { downloadLimit: 1 });
  const address = `/api/public/dl/${file.hash}`;
  assert.equal(await statusOf(address, { range: "bytes=0-" }), 206);
  const stale = { range: "bytes=1-", "if-range": '"other"' };
  assert.equal(await statusOf(address, stale), 404, "an outdated range gives the whole file");
  assert.equal(await statusOf(address, { range: "bytes=0-3" }), 404);
  assert.equal(await statusOf(address, { range: "bytes=-9" }), 404);
  assert.equal(await statusOf(address, { range: "bytes=1-4,5-9" }), 404);
  const statuses = [];
  for (let time = 0; time < 20; time++) {
    statuses.push(await statusOf(address, { range: "bytes=1-" }));
  }
  assert.equal(statuses.filter((status) => status === 206).length, 16);

  const folder = await share("/album", { downloadLimit: 1 });
  const page = await (await app.call("GET", `/share/${folder.hash}/sky.txt`)).text();
  assert.ok(!page.includes(">sky<"), "the page has no text of a counted file");
  assert.equal(await statusOf(`/api/public/dl/${folder.hash}?algo=tar`), 200);
  assert.equal(await statusOf(`/api/public/dl/${folder.hash}/sky.txt`), 404);
});

Deno.test("share: a visitor from elsewhere does not go on with somebody's download", async () => {
  const { hash } = await share("/a.txt", { downloadLimit: 1 });
  const { uses } = app.cubby.shares;
  const record = await app.cubby.shares.get(hash);
  const download = { address: "192.0.2.1", what: "/", isContinued: false };
  await uses.count(record, download);
  await uses.count(record, { ...download, isContinued: true });
  const other = { ...download, address: "192.0.2.2", isContinued: true };
  await assert.rejects(() => uses.count(record, other), { code: "not_found" });
  const entry = { ...download, what: "/else", isContinued: true };
  await assert.rejects(() => uses.count(record, entry), { code: "not_found" });
});

Deno.test("share: a change voids the tokens of visitors, and the former password", async () => {
  const { hash } = await share("/album", { password: "open sesame" });
  const headers = { "x-share-password": "open%20sesame" };
  const describe = async () =>
    await (await app.call("GET", `/api/public/share/${hash}`, { headers })).json();
  const { token } = await describe();
  assert.equal(await statusOf(`/api/public/dl/${hash}/sky.txt?token=${token}`), 200);
  await change(hash, { path: "/a.txt" });
  await assertRefused(
    await app.call("GET", `/api/public/dl/${hash}?token=${token}`),
    401,
    "password_required",
  );
  const { token: second } = await describe();
  await change(hash, { password: "another" });
  for (const way of [`?token=${second}`, ""]) {
    const answer = await app.call("GET", `/api/public/dl/${hash}${way}`, { headers });
    await assertRefused(answer, 401, "password_required");
  }
});

Deno.test("share: view-only hands out no archive, attachment, text or program", async () => {
  const { hash } = await share("/album", { viewOnly: true });
  const ways = [
    "",
    "?inline=true",
    "?algo=zip",
    "?files=sea.jpg&inline=true",
    "?files=sea.jpg&direct=true&inline=true",
    "/sea.jpg",
    "/sea.jpg?inline=false",
    "/sky.txt?inline=true",
    "/tool.exe?inline=true",
  ];
  for (const way of ways) {
    const answer = await app.call("GET", `/api/public/dl/${hash}${way}`);
    await assertRefused(answer, 403, "forbidden");
  }
});

Deno.test("share: a name never takes the place of a link, new or of File Browser", async () => {
  const user = await app.cubby.users.get(anna.user.id);
  const { path, place, ...rest } = await app.cubby.shares.get((await share("/a.txt")).hash);
  await app.cubby.shares.adopt({ ...rest, path, place, hash: "abcd1234", userId: user.id });
  const { hash } = await share("/album");
  const json = { name: "abcd1234" };
  const taken = await app.call("PATCH", `/api/share/${hash}`, { token: anna.token, json });
  await assertRefused(taken, 409, "exists");
  await change(hash, { name: "wxyz9876" });
  await app.cubby.shares.adopt({ ...rest, path, place, hash: "wxyz9876", userId: user.id });
  const told = await (await app.call("GET", "/api/public/share/wxyz9876")).json();
  assert.equal(told.name, "a.txt", "the hash of a link goes before a name");
});

Deno.test("share: of twenty who want a name at once one gets it", async () => {
  const shares = await Promise.all(Array.from({ length: 20 }, () => share("/a.txt")));
  const tries = await Promise.all(shares.map(async ({ hash }) => {
    const json = { name: "sought" };
    const answer = await app.call("PATCH", `/api/share/${hash}`, { token: anna.token, json });
    await answer.body?.cancel();
    return answer.status;
  }));
  assert.deepEqual(tries.toSorted(), [200, ...Array(19).fill(409)]);
});
