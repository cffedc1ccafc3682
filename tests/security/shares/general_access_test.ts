// A share for people that anyone with its link may open as well.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ShareTerms } from "../../../lib/server/features/links/shares/share.ts";
import type { StoredShare } from "../../../lib/server/features/links/shares/share_records.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { sharedHomes } from "../../support/server/shared_homes.ts";

const app = await startApp();
Deno.test.afterAll(app.close);
const { person, owner, makeGroup, shareOf } = sharedHomes(app);
const { users, shares } = app.cubby;

const file = (hash: string) => `/api/public/dl/${hash}/a.txt`;

async function statusOf(hash: string, token: string): Promise<number> {
  const answer = await app.call("GET", file(hash), { token });
  await answer.body?.cancel();
  return answer.status;
}

async function change(hash: string, token: string, json: object) {
  const answer = await app.call("PATCH", `/api/share/${hash}`, { token, json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return await answer.json();
}

/** Adds a file; returns the status of the answer. */
async function add(hash: string, token: string, name: string): Promise<number> {
  const headers = { "upload-length": "0", "upload-metadata": `filename ${btoa(name)}` };
  const answer = await app.call("POST", `/api/public/tus/${hash}`, { token, headers });
  await answer.body?.cancel();
  return answer.status;
}

Deno.test("general access: strangers change and add nothing, and get no right of those who are named", async () => {
  const [anna, editor, stranger] = [await owner(), await person(), await person()];
  const audience = [{ name: editor.name, may: "edit" }];
  const hash = await shareOf(anna.token, { audience, anyone: true });
  for (const token of ["", stranger.token]) {
    const refused = token === "" ? [401, 403] : [403];
    const at = `/api/public/share/${hash}/a.txt`;
    for (const method of ["DELETE", "PUT", "PATCH"]) {
      const answer = await app.call(method, at, {
        token,
        body: method === "PUT" ? "x" : undefined,
      });
      await answer.body?.cancel();
      assert.ok([...refused, 400, 405].includes(answer.status), `${method} ${answer.status}`);
    }
    assert.ok(refused.includes(await add(hash, token, "b.txt")));
    assert.equal(await statusOf(hash, token), 200);
  }
  assert.equal(await Deno.readTextFile(join(anna.home, "docs/a.txt")), "kept");
  assert.equal(await add(hash, editor.token, "b.txt"), 201);
});

Deno.test("general access: only what is named in so many words opens a share for anyone", async () => {
  const [anna, friend, stranger] = [await owner(), await person(), await person()];
  const closed = await shareOf(anna.token, { audience: [friend.name], anyone: false });
  assert.equal(await statusOf(closed, stranger.token), 404);
  for (const anyone of ["true", 1, null]) {
    const json = { audience: [friend.name], anyone };
    const answer = await app.call("POST", "/api/share/docs", { token: anna.token, json });
    await assertRefused(answer, 400, "invalid_body", String(anyone));
  }
  // Not kept for an audience that is named later.
  const open = await shareOf(anna.token, { anyone: true });
  assert.deepEqual((await shares.get(open)).terms?.anyone, undefined);
  await change(open, anna.token, { audience: [friend.name] });
  assert.equal(await statusOf(open, stranger.token), 404);
});

Deno.test("general access: an audience that is set alone is the only one again, as is one after `false`", async () => {
  const [anna, friend, stranger] = [await owner(), await person(), await person()];
  const hash = await shareOf(anna.token, { audience: [friend.name], anyone: true });
  assert.equal(await statusOf(hash, ""), 200);
  const kept = await change(hash, anna.token, { downloadLimit: 9 });
  assert.equal(kept.anyone, true, "kept by a change of something else");
  const alone = await change(hash, anna.token, { audience: [friend.name] });
  assert.equal(alone.anyone, undefined);
  assert.deepEqual(
    await Promise.all(["", stranger.token, friend.token].map((token) => statusOf(hash, token))),
    [404, 404, 200],
  );
  assert.equal((await change(hash, anna.token, { anyone: true })).anyone, true);
  assert.equal(await statusOf(hash, stranger.token), 200);
  await change(hash, anna.token, { anyone: false });
  assert.equal(await statusOf(hash, stranger.token), 404);
});

Deno.test("general access: a stranger's former token opens nothing once it has ended", async () => {
  const [anna, friend] = [await owner(), await person()];
  const json = { audience: [friend.name], anyone: true, password: "open sesame" };
  const hash = await shareOf(anna.token, json);
  const headers = { "x-share-password": "open sesame" };
  const entered = await app.call("GET", `/api/public/share/${hash}`, { headers });
  const { token } = await entered.json();
  await assertStatus(await app.call("GET", `${file(hash)}?token=${token}`), 200);
  await change(hash, anna.token, { anyone: false });
  await assertRefused(await app.call("GET", `${file(hash)}?token=${token}`), 404, "not_found");
  await assertRefused(await app.call("GET", file(hash), { headers }), 404, "not_found");
});

Deno.test("general access: named ones keep their rights, have at least those of the link, and find the share", async () => {
  const [anna, viewer, member] = [await owner(), await person(), await person()];
  const group = await makeGroup(member.user.id);
  const audience = [
    { name: viewer.name, may: "view" },
    { name: `@${group.name}`, may: "upload" },
  ];
  const hash = await shareOf(anna.token, { audience, anyone: true });
  assert.equal(await statusOf(hash, viewer.token), 200, "as without the own name");
  assert.equal(await add(hash, member.token, "b.txt"), 201);
  for (const { token } of [viewer, member]) {
    const [item] = await (await app.call("GET", "/api/shared", { token })).json();
    assert.equal(item.hash, hash);
  }
  await change(hash, anna.token, { viewOnly: true });
  for (const token of ["", viewer.token, member.token]) {
    assert.equal(await statusOf(hash, token), 403, "view only");
  }
  await users.remove(viewer.user.id);
  await users.groups.remove(group.id);
  const [info] = await (await app.call("GET", "/api/shares", { token: anna.token })).json();
  assert.deepEqual([info.audience, info.anyone], [[], true]);
});

Deno.test("general access: what an earlier version does to the record closes the share for strangers", async () => {
  const [anna, friend, other] = [await owner(), await person(), await person()];
  const audience = { users: [other.user.id], groups: [] };
  const changes: [what: string, change: (terms: ShareTerms) => object, opens: boolean][] = [
    ["it is left as it is", (terms) => terms, true],
    ["the note is dropped", ({ anyone: _, ...terms }) => terms, false],
    ["what the note is for is dropped", ({ anyoneIn: _, ...terms }) => terms, false],
    // That version keeps members that it does not know.
    ["another audience", (terms) => ({ ...terms, audience, edition: terms.edition + 1 }), false],
  ];
  for (const [what, change, opens] of changes) {
    const hash = await shareOf(anna.token, { audience: [friend.name], anyone: true });
    const key = ["shares", hash];
    const { value } = await app.cubby.store.get<StoredShare>(key);
    assert.ok(value?.terms, what);
    const stored = { ...value, terms: change(value.terms) };
    await app.cubby.store.atomic((operation) => operation.set(key, stored));
    const isNamed = "audience" in stored.terms && stored.terms.audience === audience;
    assert.equal(await statusOf(hash, isNamed ? other.token : friend.token), 200, what);
    assert.equal(await statusOf(hash, ""), opens ? 200 : 404, what);
    const answer = await app.call("PATCH", `/api/share/${hash}`, {
      token: anna.token,
      json: { downloadLimit: 9 },
    });
    assert.equal((await answer.json()).anyone, opens || undefined, what);
    assert.equal(await statusOf(hash, ""), opens ? 200 : 404, `${what}, changed`);
  }
});

Deno.test("general access: a visitor is offered to sign in for the rights of those who are named", async () => {
  const [anna, friend] = [await owner(), await person()];
  const offerOn = async (json: object, token = "", path = "/docs", below = "") => {
    const hash = await shareOf(anna.token, { anyone: true, ...json }, path);
    const headers = { cookie: token === "" ? "" : `auth=${token}` };
    const at = `/share/${hash}/${below}`;
    const html = await (await app.call("GET", at, { headers })).text();
    const link = /href="([^"]*\/login\?redirect=[^"]*)"[^>]*>([^<]*)</.exec(html);
    return link && [new URLSearchParams(link[1]?.split("?")[1]).get("redirect") === at, link[2]];
  };
  const named = (may: string) => ({ audience: [{ name: friend.name, may }] });
  assert.deepEqual(await offerOn({}), [true, "Sign in"]);
  assert.deepEqual(await offerOn(named("view")), [true, "Sign in"]);
  assert.deepEqual(await offerOn(named("download")), [true, "Sign in"]);
  const [add, edit] = ["add files", "edit"].map((what) => `Shared with you? Sign in to ${what}`);
  assert.deepEqual(await offerOn(named("upload")), [true, add]);
  assert.deepEqual(await offerOn(named("edit")), [true, edit]);
  assert.deepEqual(await offerOn(named("edit"), "", "/docs", "a.txt"), [true, edit]);
  assert.deepEqual(await offerOn(named("upload"), "", "/docs", "a.txt"), [true, "Sign in"]);
  assert.deepEqual(await offerOn({ ...named("edit"), viewOnly: true }), [true, "Sign in"]);
  for (const { token } of [friend, await person()]) {
    assert.equal(await offerOn(named("edit"), token), null, "to a user");
  }
  await users.update(anna.user.id, { perm: { ...anna.user.perm, delete: false } });
  anna.token = await app.tokenOf(anna.name);
  assert.deepEqual(await offerOn(named("upload")), [true, add], "no more than the owner may");
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, hideLoginButton: true });
  assert.equal(await offerOn(named("upload")), null, "where shares show no way to sign in");
  await app.cubby.settings.update(settings);
});

Deno.test("general access: who comes by the link is not named to the owner", async () => {
  const [anna, friend, stranger] = [await owner(), await person(), await person()];
  const json = { audience: [friend.name], anyone: true, notify: true };
  const hash = await shareOf(anna.token, json);
  await app.call("GET", `/api/public/share/${hash}`, { token: stranger.token });
  const list = async () => {
    const answer = await app.call("GET", "/api/notifications", { token: anna.token });
    return (await answer.json()).items;
  };
  let items = await list();
  for (let tries = 0; items.length === 0 && tries < 500; tries++) items = await list();
  assert.deepEqual([items[0].kind, items[0].who], ["share_opened", null]);
});
