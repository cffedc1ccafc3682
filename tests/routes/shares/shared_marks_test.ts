import assert from "node:assert/strict";
import type { Resource } from "../../../lib/shared/api_types.ts";
import { startApp } from "../../support/server/app.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { atLater } from "../../support/run/clock.ts";
import { assertStatus } from "../../support/server/refused.ts";

const many = Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`${at}.txt`, ""]));
const app = await startApp({
  tree: { anna: { album: { "sea.jpg": "sea", deep: { "sky.txt": "sky" } }, "a.txt": "a", many } },
});
Deno.test.afterAll(app.close);
const anna = await app.addUser("anna", { scope: "/anna" });
const admin = await app.tokenOf("admin");

async function share(path: string, json: object = {}, token = anna.token): Promise<string> {
  const answer = await app.call("POST", `/api/share${path}`, { token, json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).hash;
}

async function marked(call: string, token?: string): Promise<string[]> {
  const answer = await app.call("GET", `/api${call}`, { token });
  const { items = [] }: Resource = await answer.json();
  return items.filter((entry) => entry.shared === true).map(({ name }) => name);
}

const end = async (hash: string) =>
  await assertStatus(
    await app.call("DELETE", `/api/share/${hash}`, { token: anna.token }),
    200,
  );

Deno.test("a listing marks what its user shares, and nothing for others or visitors", async () => {
  assert.deepEqual(await marked("/resources/", anna.token), []);
  const hashes = [await share("/album"), await share("/album/deep/sky.txt"), await share("/a.txt")];
  const whole = await share("/");
  assert.deepEqual(await marked("/resources/", anna.token), ["album", "a.txt"]);
  assert.deepEqual(await marked("/resources/album/", anna.token), []);
  assert.deepEqual(await marked("/resources/album/deep", anna.token), ["sky.txt"]);
  assert.deepEqual(await marked("/resources/anna", admin), []);
  const other = await app.addUser("bert", { scope: "/anna" });
  assert.deepEqual(await marked("/resources/", other.token), []);
  assert.deepEqual(await marked(`/public/share/${whole}`), []);
  assert.deepEqual(await marked(`/public/share/${whole}/album/deep`), []);
  for (const hash of [...hashes, whole]) await end(hash);
  assert.deepEqual(await marked("/resources/", anna.token), []);
});

Deno.test("a mark goes along with what is shared, and away when the link expires", async () => {
  await share("/album/deep", { expires: 1, unit: "hours" });
  const move = "/api/resources/album/deep?action=rename&destination=/moved";
  await assertStatus(await app.call("PATCH", move, { token: anna.token }), 200);
  assert.deepEqual(await marked("/resources/", anna.token), ["moved"]);
  // Of two links the later one counts; what ends it takes the mark along.
  const longer = await share("/moved", { expires: 3, unit: "hours" });
  const { shares } = app.cubby;
  const names = async () => [...await shares.namesIn(parsePath("/anna").path, anna.user.id)];
  const [soon, late] = [90 * 60_000, 200 * 60_000];
  await atLater(soon, async () => assert.deepEqual(await names(), ["moved"]));
  await atLater(late, async () => assert.deepEqual(await names(), []));
  await end(longer);
  await shares.removeExpired();
  assert.deepEqual(await marked("/resources/", anna.token), ["moved"]);
  await atLater(soon, () => shares.removeExpired());
  assert.deepEqual(await marked("/resources/", anna.token), []);
});

Deno.test("a large folder, in any order and window, marks what is shared", async () => {
  const hashes = [await share("/many/7.txt"), await share("/many/650.txt")];
  for (const order of ["", "&sort=size", "&sort=modified&order=desc"]) {
    for (const name of ["7.txt", "650.txt"]) {
      const names = await marked(`/resources/many?around=${name}&limit=5${order}`, anna.token);
      assert.deepEqual(names, [name], order);
    }
  }
  assert.deepEqual(await marked("/resources/many?limit=50", anna.token), ["7.txt"]);
  for (const hash of hashes) await end(hash);
});

Deno.test("a user who may not share any more sees no marks", async () => {
  const { user, token } = await app.addUser("carl", { scope: "/anna" });
  await share("/a.txt", {}, token);
  assert.deepEqual(await marked("/resources/", token), ["a.txt"]);
  await app.cubby.users.update(user.id, { perm: { ...user.perm, share: false } });
  assert.deepEqual(await marked("/resources/", token), []);
});
