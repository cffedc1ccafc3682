// What anybody with a link may do, as its owner chooses.
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { listed, sharedHomes } from "../../support/server/shared_homes.ts";

const app = await startApp();
Deno.test.afterAll(app.close);
const { person, owner, shareOf } = sharedHomes(app);

const at = (path: string) => `/api/public/share/${path}`;
const change = async (token: string, hash: string, json: object) => {
  const answer = await app.call("PATCH", `/api/share/${hash}`, { token, json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return await answer.json();
};

Deno.test("a share tells its owner what the link gives, where that is no mere download", async () => {
  const [anna, bob] = [await owner(), await person()];
  const make = async (json: object) => {
    const answer = await app.call("POST", "/api/share/docs", { token: anna.token, json });
    assert.equal(answer.status, 200, await answer.clone().text());
    return await answer.json();
  };
  assert.equal((await make({})).anyoneMay, undefined);
  assert.equal((await make({ anyoneMay: "download" })).anyoneMay, undefined);
  for (const anyoneMay of ["view", "upload", "edit"]) {
    const share = await make({ anyoneMay });
    assert.deepEqual([share.anyoneMay, share.audience, share.anyone], [
      anyoneMay,
      undefined,
      undefined,
    ]);
    assert.equal((await change(anna.token, share.hash, { notify: true })).anyoneMay, anyoneMay);
    const audience = [{ name: bob.name, may: "download" }];
    const named = await change(anna.token, share.hash, { audience, anyone: true, anyoneMay });
    assert.deepEqual([named.audience, named.anyone, named.anyoneMay], [audience, true, anyoneMay]);
    const closed = await change(anna.token, share.hash, { anyone: false });
    assert.deepEqual([closed.anyone, closed.anyoneMay], [undefined, undefined]);
  }
});

Deno.test("a visitor of a link to edit saves, makes, renames, moves, deletes and adds", async () => {
  const anna = await owner();
  const docs = join(anna.home, "docs");
  const password = "open sesame";
  const hash = await shareOf(anna.token, { anyoneMay: "edit", password });
  const headers = { "x-share-password": encodeURIComponent(password) };
  const described = await app.call("GET", at(`${hash}/a.txt?content=true`), { headers });
  const etag = described.headers.get("etag") ?? "";
  const { content, type, token } = await described.json();
  assert.deepEqual([content, type], ["kept", "text"], "no read-only text");
  const query = `token=${token}&name=Anna`;

  const old = await app.call("PUT", `${at(`${hash}/a.txt`)}?${query}`, {
    headers: { "if-match": '"other"' },
    body: "lost",
  });
  await assertRefused(old, 412, "precondition_failed");
  const save = await app.call("PUT", `${at(`${hash}/a.txt`)}?${query}`, {
    headers: { "if-match": etag },
    body: "by a visitor",
  });
  await assertStatus(save, 200);
  assert.equal(await Deno.readTextFile(join(docs, "a.txt")), "by a visitor");
  const coded = await app.call("PUT", `${at(`${hash}/a.txt`)}?encoding=windows-1252&${query}`, {
    body: "é",
  });
  await assertStatus(coded, 200);
  assert.deepEqual([...await Deno.readFile(join(docs, "a.txt"))], [0xe9]);

  await assertStatus(await app.call("POST", `${at(`${hash}/new/`)}?${query}`), 200);
  const moving = `action=rename&destination=/new/b.txt&${query}`;
  const moved = await app.call("PATCH", `${at(`${hash}/a.txt`)}?${moving}`);
  await assertStatus(moved, 200);
  assert.match(moved.headers.get("content-location") ?? "", /\/new\/b\.txt$/);
  const gone = await app.call("DELETE", `${at(`${hash}/new/b.txt`)}?${query}`);
  await assertStatus(gone, 200);
  assert.deepEqual(listed(join(docs, "new")), []);
  const back = await app.call("POST", `${gone.headers.get("content-location")}?${query}`);
  await assertStatus(back, 200);
  assert.deepEqual(listed(join(docs, "new")), ["b.txt"]);

  const begun = await app.call("POST", `/api/public/tus/${hash}?${query}`, {
    headers: {
      "upload-length": "5",
      "upload-metadata": `filename ${btoa("new/c.txt")}`,
      "content-type": "application/offset+octet-stream",
    },
    body: "hello",
  });
  await assertStatus(begun, 201);
  assert.equal(await Deno.readTextFile(join(docs, "new/c.txt")), "hello");
});

Deno.test("what a visitor replaces stays with the owner as a previous version", async () => {
  const anna = await owner();
  const hash = await shareOf(anna.token, { anyoneMay: "edit" });
  await assertStatus(await app.call("PUT", at(`${hash}/a.txt`), { body: "changed" }), 200);
  const versions = "/api/trash?versions=/docs/a.txt";
  const { items } = await (await app.call("GET", versions, { token: anna.token })).json();
  assert.equal(items.length, 1);
});

Deno.test("the page of a share offers visitors what its link gives, and nothing to those below it", async () => {
  const anna = await owner();
  const tools = async (anyoneMay: string, path = "", cookie = "") => {
    const hash = await shareOf(anna.token, { anyoneMay });
    const answer = await app.call("GET", `/share/${hash}/${path}`, { headers: { cookie } });
    const html = await answer.text();
    const data = /"mayEdit":(true|false)/.exec(html)?.[1];
    const offered = /href="[^"]*\/login\?redirect=[^"]*"[^>]*>([^<]*)</.exec(html)?.[1];
    return [html.includes("data-editing="), offered, data];
  };
  assert.deepEqual(await tools("edit", "a.txt"), [true, "Sign in", "true"]);
  assert.deepEqual(await tools("upload", "a.txt"), [false, "Sign in", "false"]);
  assert.deepEqual(await tools("download", "a.txt"), [false, "Sign in", "false"]);
  const own = await tools("edit", "a.txt", `auth=${anna.token}`);
  assert.equal(own[0], true, "the owner sees what visitors see");
});

Deno.test("a user who opens a link to edit does so under the own name", async () => {
  const [anna, bob] = [await owner(), await person({ perm: { create: false, modify: false } })];
  const hash = await shareOf(anna.token, { anyoneMay: "edit" });
  const save = await app.call("PUT", `${at(`${hash}/a.txt`)}?name=Eve`, {
    token: bob.token,
    body: "by bob",
  });
  await assertStatus(save, 200, "by the right of the link, like anybody");
  const mine = await (await app.call("GET", "/api/shared", { token: bob.token })).json();
  assert.deepEqual(mine, [], "it is no share with the user");
});
