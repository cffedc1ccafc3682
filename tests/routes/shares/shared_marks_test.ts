import assert from "node:assert/strict";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import { startApp } from "../../support/server/app.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { atLater } from "../../support/run/clock.ts";
import { assertStatus } from "../../support/server/refused.ts";

const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`${at}.txt`, ""]));
const app = await startApp({
  tree: {
    anna: { album: { "sea.jpg": "sea", deep: { "sky.txt": "sky" } }, "a.txt": "a", many },
    dora: { album: { deep: {} } },
  },
});
Deno.test.afterAll(app.close);
const admin = await app.tokenOf("admin");

async function share(token: string, path: string, json: object = {}): Promise<string> {
  const answer = await app.call("POST", `/api/share${path}`, { token, json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).hash;
}

async function marked(call: string, token?: string): Promise<string[]> {
  const answer = await app.call("GET", `/api${call}`, { token });
  const { items = [] }: Resource = await answer.json();
  return items.filter((entry) => entry.shared === true).map(({ name }) => name);
}

const end = async (token: string, hash: string) =>
  await assertStatus(await app.call("DELETE", `/api/share/${hash}`, { token }), 200);

Deno.test("a listing marks what its user shares, and nothing for others or visitors", async () => {
  const { token } = await app.addUser("anna", { scope: "/anna" });
  assert.deepEqual(await marked("/resources/", token), []);
  const hashes: string[] = [];
  for (const path of ["/album", "/album/deep/sky.txt", "/a.txt"]) {
    hashes.push(await share(token, path));
  }
  const whole = await share(token, "/");
  assert.deepEqual(await marked("/resources/", token), ["album", "a.txt"]);
  assert.deepEqual(await marked("/resources/album/", token), []);
  assert.deepEqual(await marked("/resources/album/deep", token), ["sky.txt"]);
  assert.deepEqual(await marked("/resources/anna", admin), []);
  const other = await app.addUser("bert", { scope: "/anna" });
  assert.deepEqual(await marked("/resources/", other.token), []);
  assert.deepEqual(await marked(`/public/share/${whole}`), []);
  assert.deepEqual(await marked(`/public/share/${whole}/album/deep`), []);
  for (const hash of [...hashes, whole]) await end(token, hash);
  assert.deepEqual(await marked("/resources/", token), []);
});

Deno.test("a mark goes along with what is shared, and away when the link expires", async () => {
  const { user, token } = await app.addUser("dora", { scope: "/dora" });
  await share(token, "/album/deep", { expires: 1, unit: "hours" });
  const move = "/api/resources/album/deep?action=rename&destination=/moved";
  await assertStatus(await app.call("PATCH", move, { token }), 200);
  assert.deepEqual(await marked("/resources/", token), ["moved"]);
  // Of two links the later one counts; what ends it takes the mark along.
  const longer = await share(token, "/moved", { expires: 3, unit: "hours" });
  const { shares } = app.cubby;
  const names = async () => [...await shares.namesIn(parsePath("/dora").path, user.id)];
  const [soon, late] = [90 * 60_000, 200 * 60_000];
  await atLater(soon, async () => assert.deepEqual(await names(), ["moved"]));
  await atLater(late, async () => assert.deepEqual(await names(), []));
  await end(token, longer);
  await shares.removeExpired();
  assert.deepEqual(await marked("/resources/", token), ["moved"]);
  await atLater(soon, () => shares.removeExpired());
  assert.deepEqual(await marked("/resources/", token), []);
});

Deno.test("a large folder, in any order and window, marks what is shared", async () => {
  const { token } = await app.addUser("emil", { scope: "/anna" });
  for (const path of ["/many/7.txt", "/many/1950.txt"]) await share(token, path);
  for (const order of ["", "&sort=size", "&sort=modified&order=desc"]) {
    for (const name of ["7.txt", "1950.txt"]) {
      const names = await marked(`/resources/many?around=${name}&limit=5${order}`, token);
      assert.deepEqual(names, [name], order);
    }
  }
  assert.deepEqual(await marked("/resources/many?limit=50", token), ["7.txt"]);
});

Deno.test("a user who may not share any more sees no marks", async () => {
  const { user, token } = await app.addUser("carl", { scope: "/anna" });
  await share(token, "/a.txt");
  assert.deepEqual(await marked("/resources/", token), ["a.txt"]);
  await app.cubby.users.update(user.id, { perm: { ...user.perm, share: false } });
  assert.deepEqual(await marked("/resources/", token), []);
});
