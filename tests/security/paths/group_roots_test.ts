// With two threads, too: roots that a group gives and takes.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { NamedRoot } from "../../../lib/shared/schemas/named_root.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { follow } from "../../support/clients/watching.ts";

const app = await startApp({
  config: { webdav: true },
  tree: {
    own: { "mine.txt": "mine" },
    team: { "plan.txt": "plan", archive: { "old.txt": "old" } },
    media: { "sea.jpg": "sea" },
    "key.txt": "KEY",
  },
});
Deno.test.afterAll(app.close);
const { url } = app.listen();
const admin = await app.tokenOf("admin");
const proof = { current_password: app.admin.password };

const root = (name: string, path: string, readOnly = false): NamedRoot => ({
  name,
  path,
  readOnly,
});

async function makeGroup(roots: NamedRoot[]): Promise<number> {
  const json = { name: crypto.randomUUID(), roots, ...proof };
  const made = await app.call("POST", "/api/groups", { token: admin, json });
  assert.equal(made.status, 201, await made.clone().text());
  return (await made.json()).id;
}

async function change(id: number, json: object): Promise<void> {
  const answer = await app.call("PUT", `/api/groups/${id}`, {
    token: admin,
    json: { ...json, ...proof },
  });
  await assertStatus(answer, 200);
}

async function addMember(groups: number[], roots: NamedRoot[] = []) {
  const name = `u${crypto.randomUUID().slice(0, 8)}`;
  const { token, user } = await app.addUser(name, { groups, roots });
  const names = async (path: string) => {
    const answer = await app.call("GET", `/api/resources${path}`, { token });
    assert.equal(answer.status, 200, await answer.clone().text());
    return (await answer.json()).items.map((entry: { name: string }) => entry.name).sort();
  };
  const put = (path: string) => app.call("POST", `/api/resources${path}`, { token, body: "x" });
  return { name, token, user, names, put };
}

Deno.test("roots of a group stand in place of the scope, at the next request of a live session", async () => {
  const id = await makeGroup([]);
  const { token, names, put } = await addMember([id]);
  await assertStatus(await app.call("GET", "/api/raw/key.txt", { token }), 200);
  await change(id, { roots: [root("Team", "/team"), root("Media", "/media", true)] });
  assert.deepEqual(await names("/"), ["Media", "Team"]);
  await assertRefused(await app.call("GET", "/api/raw/key.txt", { token }), 404, "not_found");
  await assertStatus(await put("/Team/new.txt"), 200);
  await assertRefused(await put("/Media/new.txt"), 403, "forbidden");
  await change(id, { roots: [root("Team", "/team", true)] });
  await assertRefused(await put("/Team/other.txt"), 403, "forbidden", "read-only now");
  await change(id, { members: [] });
  await assertStatus(await app.call("GET", "/api/raw/key.txt", { token }), 200);
});

Deno.test("a member's own roots win over a group's of the same name or folder", async () => {
  const id = await makeGroup([root("own", "/media"), root("Also", "/own"), root("Team", "/team")]);
  const { token, names, put } = await addMember([id], [root("Own", "/own", true)]);
  assert.deepEqual(await names("/"), ["Own", "Team"]);
  assert.deepEqual(await names("/Own/"), ["mine.txt"]);
  await assertRefused(await put("/Own/new.txt"), 403, "forbidden");
  await assertRefused(await app.call("GET", "/api/raw/Also/mine.txt", { token }), 404, "not_found");
});

Deno.test("tokens, WebDAV and shares lose a root that a group loses", async () => {
  const id = await makeGroup([root("Team", "/team"), root("Media", "/media")]);
  const { token, name } = await addMember([id]);
  const json = { name: "t", write: true, share: false, expires: null, folder: "/Team" };
  const made = await app.call("POST", "/api/tokens", {
    token,
    json: { ...json, current_password: userPassword },
  });
  const { token: secret } = await made.json();
  const shared = await app.call("POST", "/api/share/Team/plan.txt", { token, json: {} });
  const { hash } = await shared.json();
  const authorization = `Basic ${btoa(`${name}:${userPassword}`)}`;
  const calls = () => ({
    token: app.call("GET", "/api/raw/Team/plan.txt", { token: secret }),
    dav: app.call("GET", "/dav/Team/plan.txt", { headers: { authorization } }),
    share: app.call("GET", `/api/public/dl/${hash}`),
  });
  for (const [way, answer] of Object.entries(calls())) await assertStatus(await answer, 200, way);
  await change(id, { roots: [root("Media", "/media")] });
  for (const [way, answer] of Object.entries(calls())) {
    const { status, body } = await answer;
    await body?.cancel();
    assert.ok([401, 403, 404].includes(status), `${way}: ${status}`);
  }
});

Deno.test("an open stream of a folder ends once a group's root is gone", async () => {
  const id = await makeGroup([root("Team", "/team"), root("Media", "/media")]);
  const { token } = await addMember([id]);
  const headers = { accept: "application/json", "x-auth": token };
  await using watching = follow(await fetch(`${url}/api/watch/Team/`, { headers }));
  assert.equal(await watching.next(), "ready");
  await change(id, { roots: [root("Media", "/media")] });
  await Deno.writeTextFile(join(app.root, "team/noticed.txt"), "x");
  assert.equal(await watching.next(), "roots");
  assert.equal(await watching.next(), "changed", "as if the folder were gone");
  assert.equal(await watching.next(), null);
});

Deno.test("only administrators give a group roots, with their password, and none that clash", async () => {
  const id = await makeGroup([]);
  const { token } = await addMember([id]);
  const json = { roots: [root("All", "/")], current_password: userPassword };
  const own = await app.call("PUT", `/api/groups/${id}`, { token, json });
  await assertRefused(own, 403, "forbidden");
  const borrowed = await app.call("PUT", `/api/groups/${id}`, {
    token: admin,
    json: { roots: json.roots },
  });
  await assertRefused(borrowed, 403, "wrong_credentials");
  const lists = [[root("A", "/a"), root("a", "/b")], [root("A", "/a"), root("B", "/A")], "x"];
  for (const roots of lists) {
    const answer = await app.call("PUT", `/api/groups/${id}`, {
      token: admin,
      json: { roots, ...proof },
    });
    await assertStatus(answer, 400, JSON.stringify(roots));
  }
});

Deno.test("listings tell where nothing can be changed, and texts there are not to be edited", async () => {
  const id = await makeGroup([root("Team", "/team"), root("Old", "/team/archive", true)]);
  const { token } = await addMember([id]);
  const read = async (path: string) =>
    await (await app.call("GET", `/api/resources${path}`, { token })).json();
  assert.deepEqual(
    (await Promise.all(["/", "/Old/", "/Team/archive/", "/Team/"].map(read)))
      .map(({ readOnly }) => readOnly),
    [true, true, true, undefined],
  );
  const { readOnly, type } = await read("/Old/old.txt");
  assert.deepEqual([readOnly, type], [true, "textImmutable"]);
  assert.equal((await read("/Old/")).items[0].type, "textImmutable");
  assert.equal((await read("/Team/")).items.at(-1).type, "text");
  const page = await (await app.call("GET", "/files/", { token, headers: { accept: "text/html" } }))
    .text();
  const told = { names: ["Team", "Old"], readOnlyPaths: ["/Old", "/Team/archive"] };
  assert.ok(page.includes(`"roots":${JSON.stringify(told)}`));
});

Deno.test("an open folder tells which roots a group gives and takes, to sessions alone", async () => {
  const id = await makeGroup([root("Team", "/team"), root("Old", "/team/archive", true)]);
  const { token, user } = await addMember([id]);
  const watch = async (by: string) =>
    follow(await fetch(`${url}/api/watch/Team/`, { headers: { "x-auth": by } }));
  await using watching = await watch(token);
  assert.equal(await watching.next(), "ready");
  const { roots } = watching.data as { roots: unknown };
  assert.deepEqual(roots, { names: ["Team", "Old"], readOnlyPaths: ["/Old", "/Team/archive"] });
  const options = { name: "t", write: true, share: false, expires: null };
  const { secret } = await app.cubby.apiTokens.create(user.id, options, null);
  await using program = await watch(secret);
  assert.equal(await program.next(), "ready");
  assert.deepEqual(Object.keys(program.data as object), ["modified"]);

  await change(id, { roots: [root("Team", "/team", true), root("Media", "/media")] });
  assert.equal(await watching.next(), "roots");
  assert.deepEqual(watching.data, { names: ["Team", "Media"], readOnlyPaths: ["/Team"] });
  assert.equal(await watching.next(), "changed");
  await change(id, { roots: [root("Media", "/media")] });
  assert.equal(await watching.next(), "roots");
  assert.deepEqual(watching.data, { names: ["Media"], readOnlyPaths: [] });
  assert.equal(await watching.next(), "changed");
  assert.equal(await watching.next(), null);
  assert.equal(await program.next(), "changed");
});
