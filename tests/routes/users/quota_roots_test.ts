import assert from "node:assert/strict";
import type { NamedRoot } from "../../../lib/shared/schemas/named_root.ts";
import { type CallOptions, startApp, type TestApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const kilobyte = "k".repeat(1000);

const root = (name: string, path: string, readOnly = false): NamedRoot => ({
  name,
  path,
  readOnly,
});

/** A user with named roots and a quota. */
async function holder(app: TestApp, roots: NamedRoot[], quota: { bytes?: number; files?: number }) {
  const name = `u${crypto.randomUUID().slice(0, 8)}`;
  const { token, user } = await app.addUser(name, { roots, quota });
  const call = (method: string, path: string, options: CallOptions = {}) =>
    app.call(method, path, { token, ...options });
  const put = (path: string, body = kilobyte) =>
    call("POST", `/api/resources${path}`, {
      body,
      headers: { "content-length": String(body.length) },
    });
  const used = async () => {
    const { quota } = await (await call("GET", "/api/usage/")).json();
    return [quota.usedBytes, quota.usedFiles];
  };
  return { call, put, used, user };
}

const tree = () => ({
  team: { "plan.txt": kilobyte, archive: { "old.txt": kilobyte } },
  own: {},
  media: { "sea.jpg": kilobyte.repeat(9) },
});

const all = [root("Team", "/team"), root("Own", "/own"), root("Media", "/media", true)];

Deno.test("a quota counts what lies in all writable roots, and nothing of a read-only one", async () => {
  await using app = await startApp({ tree: tree() });
  const { put, call, used } = await holder(app, all, { bytes: 4500 });
  assert.deepEqual(await used(), [2000, 3]);
  await assertStatus(await put("/Own/a.txt"), 200);
  await assertStatus(await put("/Team/b.txt"), 200);
  const told = await assertRefused(await put("/Own/c.txt"), 507, "over_quota");
  assert.match(told, /quota of 4500 bytes has 500 left/);
  const copied = await call(
    "PATCH",
    "/api/resources/Media/sea.jpg?action=copy&destination=/Own/sea.jpg",
  );
  await assertRefused(copied, 507, "over_quota", "from the read-only root");
  assert.deepEqual(await used(), [4000, 5]);
  const begun = await call("POST", "/api/tus/Team/t.txt", { headers: { "upload-length": "501" } });
  await assertRefused(begun, 507, "over_quota", "by tus");
});

Deno.test("a quota of roots: a move between them changes nothing, a deletion gives back", async () => {
  await using app = await startApp({ tree: tree() });
  const { put, call, used } = await holder(app, all, { bytes: 2000 });
  const moved = "/api/resources/Team/plan.txt?action=rename&destination=/Own/plan.txt";
  await assertStatus(await call("PATCH", moved), 200);
  assert.deepEqual(await used(), [2000, 3]);
  await assertStatus(await call("DELETE", "/api/resources/Own/plan.txt?trash=true"), 200);
  await assertRefused(await put("/Own/new.txt"), 507, "over_quota", "the trash counts");
  await assertStatus(await call("DELETE", "/api/trash"), 200);
  await assertStatus(await put("/Own/new.txt"), 200);
});

Deno.test("a quota of roots in one another counts their files once", async () => {
  await using app = await startApp({ tree: tree() });
  const nested = [root("Archive", "/team/archive"), root("Team", "/team")];
  const { used } = await holder(app, nested, { files: 5 });
  assert.deepEqual(await used(), [2000, 3]);
});

Deno.test("a quota of roots that are all read-only, or not there, holds nothing", async () => {
  await using app = await startApp({ tree: tree() });
  const closed = await holder(app, [root("Media", "/media", true)], { bytes: 10 });
  assert.deepEqual(await closed.used(), [0, 0]);
  const absent = await holder(app, [root("Gone", "/gone"), root("Own", "/own")], { bytes: 1000 });
  await assertStatus(await absent.put("/Own/a.txt"), 200);
  assert.deepEqual(await absent.used(), [1000, 1]);
});

Deno.test("the quota of a group holds for a member with roots, and roots that change count at once", async () => {
  await using app = await startApp({ tree: tree() });
  const { put, user } = await holder(app, all, {});
  const token = await app.tokenOf("admin");
  const group = { name: "Small", quota: { bytes: 3000 }, members: [user.id] };
  await assertStatus(
    await app.call("POST", "/api/groups", {
      token,
      json: { ...group, current_password: app.admin.password },
    }),
    201,
  );
  await assertStatus(await put("/Own/a.txt"), 200);
  await assertRefused(await put("/Own/b.txt"), 507, "over_quota");
  const roots = [root("Own", "/own")];
  const json = {
    what: "user",
    which: ["roots"],
    data: { roots },
    current_password: app.admin.password,
  };
  await assertStatus(await app.call("PUT", `/api/users/${user.id}`, { token, json }), 200);
  const later = await app.tokenOf(user.username);
  const send = (path: string) =>
    app.call("POST", `/api/resources${path}`, { token: later, body: kilobyte });
  await assertStatus(await send("/Own/b.txt"), 200);
  await assertStatus(await send("/Own/c.txt"), 200);
  await assertRefused(await send("/Own/d.txt"), 507, "over_quota");
});

Deno.test("what others write into a root counts soon", async () => {
  await using app = await startApp({ tree: tree() });
  const { put } = await holder(app, all, { bytes: 3000 });
  await assertStatus(await put("/Own/a.txt", "k"), 200);
  const token = await app.tokenOf("admin");
  const foreign = await app.call("POST", "/api/resources/team/theirs.txt", {
    token,
    body: kilobyte,
  });
  await assertStatus(foreign, 200);
  const isFull = async () => {
    const answer = await put(`/Own/${crypto.randomUUID()}`, "");
    const { quota } = await (await app.call("GET", "/api/quotas", { token })).json()
      .then((list) => ({ quota: list[0] }));
    await answer.body?.cancel();
    return quota.usedBytes === 3001;
  };
  while (!await isFull()) await new Promise((resolve) => setTimeout(resolve, 100));
});
