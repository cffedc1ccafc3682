// With two threads, too: shares that begin and end.
import assert from "node:assert/strict";
import { permissionsWhere } from "../../../lib/shared/schemas/choices/choices.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: { "a.txt": "needle", docs: { "b.txt": "needle", "sea.jpg": "x" }, home: { "h.txt": "h" } },
});
Deno.test.afterAll(app.close);
const none = permissionsWhere(() => false);
const { groups } = app.cubby.users;
let names = 0;

async function makeGroup(): Promise<{ id: number; name: string }> {
  const quota = { bytes: 0, files: 0 };
  return await groups.create({ name: `group ${++names}`, perm: none, rules: [], roots: [], quota });
}

async function person(user: Parameters<typeof app.addUser>[1] = {}) {
  const name = `person ${++names}`;
  return { name, ...await app.addUser(name, user) };
}

const share = (token: string, json: object, path = "/docs") =>
  app.call("POST", `/api/share${path}`, { token, json });

async function sharedBy(token: string, json: object, path = "/docs") {
  const answer = await share(token, json, path);
  assert.equal(answer.status, 200);
  return await answer.json();
}

/** All addresses by which a share of a folder is reached. */
const doors = (at: string) => [
  `/api/public/share/${at}`,
  `/api/public/share/${at}/b.txt`,
  `/api/public/dl/${at}`,
  `/api/public/dl/${at}/b.txt`,
  `/api/public/preview/thumb/${at}/sea.jpg`,
  `/share/${at}/`,
  `/share/${at}/b.txt`,
];

/** What an answer tells, besides what it always tells anew. */
async function told(answer: Response, at: string): Promise<string> {
  const headers = [...answer.headers].filter(([name]) => name !== "date").join("\n");
  const text = `${answer.status}\n${headers}\n${await answer.text()}`;
  const [, nonce = "no nonce"] = /'nonce-(\w+)'/.exec(text) ?? [];
  return text.replaceAll(at, "ADDRESS").replaceAll(nonce, "NONCE");
}

async function sharedWith(token: string): Promise<string[]> {
  const items = await (await app.call("GET", "/api/shared", { token })).json();
  return items.map(({ hash }: { hash: string }) => hash);
}

async function mayOpen(hash: string, token: string): Promise<boolean> {
  const answer = await app.call("GET", `/api/public/share/${hash}`, { token });
  await answer.body?.cancel();
  assert.ok(answer.status === 200 || answer.status === 404, String(answer.status));
  return answer.status === 200;
}

Deno.test("who is not in the audience gets the answer of an unknown share, at every door", async () => {
  const [owner, friend, stranger] = [await person(), await person(), await person()];
  const { hash, token } = await sharedBy(owner.token, { audience: [friend.name], name: "team" });
  const unknown = "A".repeat(hash.length);
  for (const who of [stranger.token, ""]) {
    const cookie = { headers: { cookie: who === "" ? "" : `auth=${who}` } };
    for (const [index, door] of doors(hash).entries()) {
      const known = await told(await app.call("GET", door, cookie), hash);
      const other = doors(unknown)[index] ?? "";
      assert.equal(known, await told(await app.call("GET", other, cookie), unknown), door);
      const named = await app.call("GET", doors("team")[index] ?? "", cookie);
      assert.equal(named.status, 404, `${door} by its name`);
      await named.body?.cancel();
      const byToken = await app.call("GET", `${door}?token=${token}`, cookie);
      assert.equal(byToken.status, 404, `${door} with the owner's token`);
      await byToken.body?.cancel();
    }
  }
  const cookie = { headers: { cookie: `auth=${friend.token}` } };
  for (const door of doors(hash).filter((each) => !each.includes("preview"))) {
    await assertStatus(await app.call("GET", door, cookie), 200);
  }
  assert.deepEqual(await sharedWith(friend.token), [hash]);
  assert.deepEqual(await sharedWith(stranger.token), []);
  assert.equal(await mayOpen(hash, owner.token), true);
});

Deno.test("a dead link and one for users alone offer the same sign-in, which leads back here", async () => {
  const [owner, friend, stranger] = [await person(), await person(), await person()];
  const { hash } = await sharedBy(owner.token, { audience: [friend.name] });
  const linkOf = (html: string) => /href="([^"]*\/login\?redirect=[^"]*)"/.exec(html)?.[1];
  for (
    const path of [
      `/share/${hash}`,
      `/share/${hash}/b.txt`,
      "/share/none",
    ]
  ) {
    const answer = await app.call("GET", path);
    assert.equal(answer.status, 404, path);
    const target = linkOf(await answer.text());
    assert.ok(target, path);
    const form = await app.call("GET", target);
    await form.body?.cancel();
    assert.equal(form.status, 200);
    // Whoever is signed in is led back at once.
    const back = await app.call("GET", target, { headers: { cookie: `auth=${friend.token}` } });
    assert.equal(back.headers.get("location"), path);
  }
  const cookie = { headers: { cookie: `auth=${stranger.token}` } };
  const signedIn = await app.call("GET", `/share/${hash}`, cookie);
  assert.equal(linkOf(await signedIn.text()), undefined, "to a user");
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, hideLoginButton: true });
  const hidden = await app.call("GET", `/share/${hash}`);
  assert.equal(linkOf(await hidden.text()), undefined, "where shares show no way to sign in");
  await app.cubby.settings.update(settings);
});

Deno.test("an administrator is in no audience but that which names one", async () => {
  const [owner, friend] = [await person(), await person()];
  const boss = await person({ perm: { admin: true } });
  const { hash } = await sharedBy(owner.token, { audience: [friend.name] });
  assert.equal(await mayOpen(hash, boss.token), false);
});

Deno.test("a group that is joined or left opens and closes a share in live sessions", async () => {
  const [owner, member] = [await person(), await person()];
  const group = await makeGroup();
  const { hash } = await sharedBy(owner.token, { audience: [`@${group.name}`] });
  assert.equal(await mayOpen(hash, member.token), false);
  assert.deepEqual(await sharedWith(member.token), []);
  await groups.setMembers(group, [member.user.id]);
  assert.equal(await mayOpen(hash, member.token), true);
  assert.deepEqual(await sharedWith(member.token), [hash]);
  await groups.setMembers(group, []);
  assert.equal(await mayOpen(hash, member.token), false);
  assert.deepEqual(await sharedWith(member.token), []);
});

Deno.test("a share whose user or group is gone is open to nobody, and not to everybody", async () => {
  const [owner, member, friend] = [await person(), await person(), await person()];
  const group = await makeGroup();
  await groups.setMembers(group, [member.user.id]);
  const forGroup = await sharedBy(owner.token, { audience: [`@${group.name}`] });
  const forFriend = await sharedBy(owner.token, { audience: [friend.name] });
  await groups.remove(group.id);
  await app.cubby.users.remove(friend.user.id);
  const again = await app.addUser(friend.name);
  for (const { hash } of [forGroup, forFriend]) {
    for (const token of ["", member.token, again.token]) {
      assert.equal(await mayOpen(hash, token), false);
    }
  }
  const list = await (await app.call("GET", "/api/shares", { token: owner.token })).json();
  const info = list.find((each: { hash: string }) => each.hash === forGroup.hash);
  assert.deepEqual(info.audience, [], "known as for nobody");
  // A change of something else leaves it so.
  const json = { viewOnly: true };
  const path = `/api/share/${forGroup.hash}`;
  await assertStatus(await app.call("PATCH", path, { token: owner.token, json }), 200);
  assert.equal(await mayOpen(forGroup.hash, ""), false);
});

Deno.test("it ends with the owner's right to share, with the scope, and with the owner", async () => {
  const friend = await person();
  const change = [
    (id: number) => app.cubby.users.update(id, { perm: { ...none, download: true } }),
    (id: number) => app.cubby.users.update(id, { scope: "/home" }),
    (id: number) => app.cubby.users.remove(id),
  ];
  for (const end of change) {
    const owner = await person();
    const { hash } = await sharedBy(owner.token, { audience: [friend.name] });
    assert.deepEqual(await sharedWith(friend.token), [hash]);
    await end(owner.user.id);
    assert.deepEqual(await sharedWith(friend.token), []);
    const answer = await app.call("GET", `/api/public/share/${hash}`, { token: friend.token });
    assert.ok(answer.status === 403 || answer.status === 404, await answer.text());
  }
});

Deno.test("API tokens open no share that is for their user, and list none", async () => {
  const [owner, friend] = [await person(), await person()];
  const { hash } = await sharedBy(owner.token, { audience: [friend.name] });
  const options = { name: "t", write: true, share: true, expires: null };
  const { secret } = await app.cubby.apiTokens.create(friend.user.id, options, null);
  assert.equal(await mayOpen(hash, secret), false);
  await assertRefused(await app.call("GET", "/api/shared", { token: secret }), 403, "forbidden");
});

Deno.test("before the password a recipient is told who shares something, and nothing of what it is", async () => {
  const [owner, friend] = [await person(), await person({ scope: "/home" })];
  await Deno.mkdir(`${app.root}/xyzzy plans`);
  await Deno.writeTextFile(`${app.root}/xyzzy plans/xyzzy.txt`, "text");
  const group = await makeGroup();
  await groups.setMembers(group, [friend.user.id]);
  const before = Math.floor(Date.now() / 1000);
  const named = [friend.name, `@${group.name}`].map((name) => ({ name, may: "upload" }));
  const audiences = [named, [{ name: friend.name, may: "edit" }]];
  const made = await Promise.all(
    ["/xyzzy%20plans", "/xyzzy%20plans/xyzzy.txt"].flatMap((path) =>
      audiences.map((audience) => sharedBy(owner.token, { audience, password: "sesame" }, path))
    ),
  );
  const cookie = { headers: { cookie: `auth=${friend.token}` } };
  const read = async (path: string) => await (await app.call("GET", path, cookie)).json();
  const items = await read("/api/shared");
  assert.equal(items.length, made.length);
  for (const { hash, created, may, ...item } of items) {
    const index = made.findIndex((each) => each.hash === hash);
    assert.equal(may, index % 2 === 0 ? "upload" : "edit", "of a file as of a folder");
    assert.ok(created >= before && created <= Date.now() / 1000);
    assert.deepEqual(item, { owner: owner.name, expire: 0, hasPassword: true, name: "" });
  }
  let news = await read("/api/notifications");
  for (let tries = 0; news.unread < made.length && tries < 500; tries++) {
    news = await read("/api/notifications");
  }
  for (const { kind, who, name } of news.items) {
    assert.deepEqual([kind, who, name], ["shared_with_me", owner.name, null]);
  }
  const lists = ["/shared-with-me", "/files/", "/api/notifications", "/api/recent"];
  for (
    const door of [
      ...lists,
      "/api/search/?query=xyzzy",
      ...made.flatMap((each) => doors(each.hash)),
    ]
  ) {
    const answer = await app.call("GET", door, cookie);
    if (!lists.includes(door)) assert.equal(answer.headers.get("etag"), null, door);
    assert.doesNotMatch(await told(answer, door), /xyzzy/i, door);
  }
  // What no password protects is told as before.
  const { hash: open } = await sharedBy(owner.token, { audience: [friend.name] });
  const all = await read("/api/shared");
  const item = all.find(({ hash }: { hash: string }) => hash === open);
  assert.deepEqual([item.name, item.isDir, item.hasPassword], ["docs", true, undefined]);
});

Deno.test("a password is asked for besides, of those in the audience alone", async () => {
  const [owner, friend, stranger] = [await person(), await person(), await person()];
  const { hash } = await sharedBy(owner.token, { audience: [friend.name], password: "sesame" });
  const path = `/api/public/share/${hash}`;
  const asked = await app.call("GET", path, { token: friend.token });
  await assertRefused(asked, 401, "password_required");
  const headers = { "x-share-password": "sesame" };
  await assertStatus(await app.call("GET", path, { token: friend.token, headers }), 200);
  const other = await app.call("GET", path, { token: stranger.token, headers });
  await assertRefused(other, 404, "not_found");
});

Deno.test("what a member sees is view only where the owner says so, and never changed", async () => {
  const [owner, friend] = [await person(), await person()];
  const { hash } = await sharedBy(owner.token, { audience: [friend.name], viewOnly: true });
  const [item] = await (await app.call("GET", "/api/shared", { token: friend.token })).json();
  const about = { hash, name: "docs", isDir: true, owner: owner.name, created: item.created };
  assert.deepEqual(item, { ...about, expire: 0, may: "view" });
  for (const method of ["PATCH", "DELETE"]) {
    const answer = await app.call(method, `/api/share/${hash}`, {
      token: friend.token,
      json: { audience: null },
    });
    await assertRefused(answer, 403, "forbidden", method);
  }
});

Deno.test("names that nobody has are refused, and too many; another audience holds at once", async () => {
  const [owner, first, second] = [await person(), await person(), await person()];
  for (
    const audience of [["nobody here"], ["@nobody"], [""], "anna", [1], Array(101).fill(first.name)]
  ) {
    const answer = await share(owner.token, { audience });
    await assertRefused(answer, 400, "invalid_body", JSON.stringify(audience));
  }
  const { hash } = await sharedBy(owner.token, { audience: [first.name] });
  const path = `/api/share/${hash}`;
  const put = (audience: unknown) =>
    app.call("PATCH", path, { token: owner.token, json: { audience } });
  await assertStatus(await put([second.name]), 200);
  assert.equal(await mayOpen(hash, first.token), false);
  assert.equal(await mayOpen(hash, second.token), true);
  assert.deepEqual(await sharedWith(first.token), []);
  await assertStatus(await put([]), 200);
  assert.equal(await mayOpen(hash, second.token), false);
  assert.equal(await mayOpen(hash, ""), false);
  await assertStatus(await put(null), 200);
  assert.equal(await mayOpen(hash, ""), true);
  assert.deepEqual(await sharedWith(second.token), []);
});
