import assert from "node:assert/strict";
import { join } from "node:path";
import { allPermissions } from "../../../../../lib/server/core/access/viewer.ts";
import { toUserInfo } from "../../../../../lib/server/features/accounts/users/user.ts";
import { temporaryFolder } from "../../../../support/disks/files.ts";
import { client, fieldsOf, openIdentity, passwordOf } from "./identity.ts";
import { sessionRecords } from "../../../../../lib/server/features/accounts/users/user_records.ts";

const admin = { perm: allPermissions() };

Deno.test("create() refuses a name that is taken, also in another spelling", async () => {
  using it = await openIdentity();
  await it.add("Zo\u00eb");
  for (const name of ["Zo\u00eb", " Zo\u00eb\t", "Zoe\u0308"]) {
    await assert.rejects(it.add(name), { code: "exists" }, JSON.stringify(name));
  }
  assert.equal((await it.add("zo\u00eb")).id, 2, "case counts");
});

Deno.test("create() refuses names that are empty, too long or can't be printed", async () => {
  using it = await openIdentity();
  for (const name of ["", "  ", "a\0b", "a\nb", "a\u202eb", "\ud800", "x".repeat(256)]) {
    await assert.rejects(it.add(name), { code: "invalid_name" }, JSON.stringify(name));
  }
  assert.equal(await it.users.count(), 0);
});

Deno.test("create() refuses a password that is short or well known", async () => {
  using it = await openIdentity();
  for (const password of ["short", "Password1234!", "anna anna anna"]) {
    const draft = { ...fieldsOf("anna"), password };
    await assert.rejects(it.users.create(draft), { code: "invalid_password" }, password);
  }
});

Deno.test("create() refuses a record that the store could not hold", async () => {
  using it = await openIdentity();
  const rule = { allow: false, path: "/" + "x".repeat(1000), regex: false, regexp: { raw: "" } };
  const rules = new Array(31).fill(rule);
  await assert.rejects(it.add("anna", { rules }), { code: "invalid_body" });
  await it.add("anna", { rules: new Array(28).fill({ ...rule, path: "/" + "日".repeat(980) }) });
});

Deno.test("create() makes one user of a name from two stores at once", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  using one = await openIdentity(path);
  using two = await openIdentity(path);
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => (index % 2 ? one : two).add("anna")),
  );
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
  assert.equal((await one.users.list()).length, 1);
  assert.equal(await two.users.count(), 1);
});

Deno.test("ids count up from 1 and are not given again", async () => {
  using it = await openIdentity();
  assert.equal((await it.add("anna")).id, 1);
  assert.equal((await it.add("bert")).id, 2);
  await it.users.remove(2);
  assert.equal((await it.add("bert")).id, 3);
});

Deno.test("ten users created at once have ten ids", async () => {
  using it = await openIdentity();
  const names = Array.from({ length: 10 }, (_, index) => `user ${index}`);
  const users = await Promise.all(names.map((name) => it.add(name)));
  assert.equal(new Set(users.map((user) => user.id)).size, 10);
  assert.equal(await it.users.count(), 10);
});

Deno.test("an administrator has every permission and is never locked out", async () => {
  using it = await openIdentity();
  const perm = { ...fieldsOf("").perm, admin: true, share: false };
  const user = await it.add("root", { perm, lockPassword: true });
  assert.deepEqual(user.perm, allPermissions());
  assert.equal(user.lockPassword, false);
});

Deno.test("byName() finds a user by every spelling of the name, and nobody else", async () => {
  using it = await openIdentity();
  await it.add("Zo\u00eb");
  assert.equal((await it.users.byName(" Zoe\u0308 "))?.id, 1);
  for (const name of ["zo\u00eb", "", "__proto__", "x".repeat(10_000)]) {
    assert.equal(await it.users.byName(name), null, name.slice(0, 20));
  }
});

Deno.test("get() refuses an id that is not there", async () => {
  using it = await openIdentity();
  for (const id of [0, 1, -1, 1.5, NaN]) {
    await assert.rejects(it.users.get(id), { code: "not_found" }, String(id));
  }
});

Deno.test("update() refuses a name that is taken, and frees the former one", async () => {
  using it = await openIdentity();
  const anna = await it.add("anna");
  await it.add("bert");
  await assert.rejects(it.users.update(anna.id, { username: "bert" }), { code: "exists" });
  await it.users.update(anna.id, { username: " anne " });
  assert.equal((await it.users.byName("anne"))?.id, anna.id);
  assert.equal(await it.users.byName("anna"), null);
  await it.add("anna");
});

Deno.test("the last administrator can be neither removed nor demoted", async () => {
  using it = await openIdentity();
  const root = await it.add("root", admin);
  await it.add("anna");
  const demotion = { perm: fieldsOf("").perm };
  await assert.rejects(it.users.update(root.id, demotion), { code: "last_admin" });
  await assert.rejects(it.users.remove(root.id), { code: "last_admin" });
  const second = await it.add("second", admin);
  await it.users.update(root.id, demotion);
  await it.users.remove(root.id);
  await assert.rejects(it.users.remove(second.id), { code: "last_admin" });
});

Deno.test("two administrators who demote each other at once: one stays", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  using one = await openIdentity(path);
  using two = await openIdentity(path);
  for (let round = 1; round <= 5; round++) {
    const a = await one.add(`a${round}`, admin);
    const b = await one.add(`b${round}`, admin);
    if (round > 1) {
      for (const user of await one.users.list()) {
        if (user.perm.admin && user.id !== a.id && user.id !== b.id) {
          await one.users.remove(user.id);
        }
      }
    }
    const results = await Promise.allSettled([
      one.users.update(a.id, { perm: fieldsOf("").perm }),
      two.users.remove(b.id),
    ]);
    const refused = results.filter((result) => result.status === "rejected");
    assert.equal(refused.length, 1);
    assert.equal(refused[0]?.reason.code, "last_admin");
    assert.equal((await two.users.list()).filter((user) => user.perm.admin).length, 1);
  }
});

Deno.test("update() leaves alone what it is not told, also by undefined", async () => {
  using it = await openIdentity();
  const before = await it.add("anna", { locale: "fr" });
  const after = await it.users.update(before.id, { locale: undefined, singleClick: true });
  assert.deepEqual(after, { ...before, singleClick: true, version: before.version + 1 });
  assert.deepEqual(await it.users.get(before.id), after);
});

Deno.test("two updates at once are both kept", async () => {
  using it = await openIdentity();
  const { id } = await it.add("anna");
  await Promise.all([
    it.users.update(id, { locale: "fr" }),
    it.users.update(id, { dateFormat: true }),
    it.users.update(id, { viewMode: "mosaic" }),
  ]);
  const { locale, dateFormat, viewMode, version } = await it.users.get(id);
  assert.deepEqual([locale, dateFormat, viewMode, version], ["fr", true, "mosaic", 4]);
});

const rule = { allow: false, path: "/a", regex: false, regexp: { raw: "" } };
const perm = { ...fieldsOf("").perm, share: false };
for (
  const [what, change] of Object.entries({
    "a new password": { password: "another good one" },
    "the same password again": { password: passwordOf("anna") },
    "other permissions": { perm },
    "another scope": { scope: "/anna" },
    "another rule": { rules: [rule] },
    "another command": { commands: ["git"] },
  })
) {
  Deno.test(`update() ends every session of the user: ${what}`, async () => {
    using it = await openIdentity();
    const anna = await it.add("anna");
    const bert = await it.add("bert");
    const { token } = await it.sessions.open(anna, client);
    const other = await it.sessions.open(bert, client);
    await it.users.update(anna.id, change);
    await assert.rejects(it.sessions.authenticate(token), { code: "not_signed_in" });
    assert.equal(
      (await it.store.list(sessionRecords.prefix(anna.id))).length,
      0,
      "records are gone",
    );
    assert.equal((await it.sessions.authenticate(other.token)).user.id, bert.id);
  });
}

Deno.test("update() of a preference leaves sessions alone and makes their tokens stale", async () => {
  using it = await openIdentity();
  const anna = await it.add("anna");
  const { token } = await it.sessions.open(anna, client);
  await it.users.update(anna.id, { ...fieldsOf("anna"), locale: "de" });
  const { user, stale } = await it.sessions.authenticate(token);
  assert.equal(user.locale, "de");
  assert.equal(stale, true);
});

Deno.test("a session opened from a record of before the change is dead", async () => {
  using it = await openIdentity();
  const before = await it.add("anna");
  await it.users.update(before.id, { password: "another good one" });
  const { token } = await it.sessions.open(before, client);
  await assert.rejects(it.sessions.authenticate(token), { code: "not_signed_in" });
});

Deno.test("remove() ends the sessions and frees the name", async () => {
  using it = await openIdentity();
  const anna = await it.add("anna");
  const { token } = await it.sessions.open(anna, client);
  await it.users.remove(anna.id);
  await assert.rejects(it.sessions.authenticate(token), { code: "not_signed_in" });
  await assert.rejects(it.users.get(anna.id), { code: "not_found" });
  assert.equal(await it.users.byName("anna"), null);
  const again = await it.add("anna");
  await assert.rejects(it.sessions.authenticate(token), { code: "not_signed_in" });
  assert.equal(again.id, 2);
});

Deno.test("what is shown of a user has no hash", async () => {
  using it = await openIdentity();
  const shown = toUserInfo(await it.add("anna"));
  assert.deepEqual(shown, { id: 1, password: "", ...fieldsOf("anna") });
});
