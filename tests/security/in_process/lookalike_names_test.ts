import assert from "node:assert/strict";
import { permissionsWhere } from "../../../lib/shared/schemas/choices/choices.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ inProcess: true });
Deno.test.afterAll(app.close);
const { users, store, settings } = app.cubby;
const boss = await app.tokenOf("admin");
await settings.update({ ...await settings.get(), signup: true });

/** Names that are shown as "admin", or as "ad min". */
const lookalikes = [
  ...["ad\u00admin", "admin\u3164", "admin\ufe0f", "ad\u034fmin", "admin\u2800", "admin\uffa0"],
  ...["admin\u115f", "\u1160admin", "ad\u17b4min", "ad\u180emin", "ad\u180bmin", "ad\u200bmin"],
  ...[
    "ad\u200dmin",
    "ad\u2060min",
    "ad\u2064min",
    "ad\u206fmin",
    "admin\u{e0041}",
    "admin\u{e0100}",
  ],
  ...["ad\u00a0min", "ad\u3000min", "ad\u2003min", "ad\u202fmin", "ad\u1680min", "ad  min"],
  ...["ad\u202emin", "\u2066admin", "ad\u061cmin", "ad\ufff9min", "ad\u0000min", "ad\u0085min"],
  ...["ad\u{1d173}min", "ad\u{1d159}min", "ad\ufeffmin", "ad\u2028min", "ad\tmin"],
];

/** Names that are seen as what they are. */
const plain = [
  "Jürgen",
  "Zoë B",
  "日本 太郎",
  "Ελένη",
  "محمد",
  "נועה",
  "ปิยะ",
  "अनु",
  "o'neil",
  "octo 🐙",
  "a.b-c_d",
];

const named = (username: string) => ({ username, password: "a long enough word" });

/** A user with a name that an older version has taken. */
async function ofOld(username: string) {
  const { user } = await app.addUser(`old ${username.length} ${crypto.randomUUID()}`);
  const key = ["users", user.id];
  assert.ok((await store.get(key)).value, "the key of the record");
  await store.atomic((operation) =>
    operation.set(key, { ...user, username }).set(["user_names", username], user.id)
      .delete(["user_names", user.username])
  );
  assert.equal((await users.byName(username))?.id, user.id, "the key of the name");
  return user;
}

Deno.test("no user gets a name that looks like another one, by whichever way", async () => {
  const { user } = await app.addUser("renamed");
  for (const username of lookalikes) {
    const told = JSON.stringify(username);
    const signUp = await app.call("POST", "/api/signup", { json: named(username) });
    await assertRefused(signUp, 400, "invalid_name", told);
  }
  // Each of these calls compares a password, which takes its time.
  for (const username of lookalikes.slice(0, 3)) {
    const told = JSON.stringify(username);
    const proof = { current_password: app.admin.password };
    const add = { what: "user", which: [], data: named(username), ...proof };
    const added = await app.call("POST", "/api/users", { token: boss, json: add });
    await assertRefused(added, 400, "invalid_name", told);
    const json = { what: "user", which: ["username"], data: { ...user, username }, ...proof };
    const renamed = await app.call("PUT", `/api/users/${user.id}`, { token: boss, json });
    await assertRefused(renamed, 400, "invalid_name", told);
    const invite = { username, hours: 1, ...proof };
    const invited = await app.call("POST", "/api/invites", { token: boss, json: invite });
    await assertRefused(invited, 400, "invalid_name", told);
    const group = { name: username, perm: {}, members: [], ...proof };
    const grouped = await app.call("POST", "/api/groups", { token: boss, json: group });
    await assertRefused(grouped, 400, "invalid_name", told);
  }
  assert.deepEqual((await users.names()).map(({ name }) => name).sort(), ["admin", "renamed"]);
});

Deno.test("names of every script are taken", async () => {
  for (const username of plain) {
    const signUp = await app.call("POST", "/api/signup", { json: named(username) });
    await assertStatus(signUp, 200, username);
  }
});

Deno.test("a user whose name is refused now signs in, is changed, and gets another name", async () => {
  for (const [index, username] of ["admin\u3164", "ad\u00a0min", "ad  min"].entries()) {
    const user = await ofOld(username);
    const login = { json: { username, password: userPassword }, from: `192.0.2.${index}` };
    await assertStatus(await app.call("POST", "/api/login", login), 200, username);
    await users.update(user.id, { locale: "de" });
    assert.equal((await users.byName(username))?.locale, "de");
    await assert.rejects(users.update(user.id, { username: `${username}\u3164` }), {
      code: "invalid_name",
    });
    await users.update(user.id, { username: `seen ${index}` });
    assert.equal(await users.byName(username), null);
    assert.equal((await users.byName(`seen ${index}`))?.id, user.id);
  }
});

Deno.test("a group whose name is refused now is changed, and gets another name", async () => {
  const { groups } = users;
  const group = await groups.create({
    ...{ name: "staff", perm: permissionsWhere(() => false), rules: [], roots: [] },
    quota: { bytes: 0, files: 0 },
  });
  const name = "staff\u3164";
  const key = ["groups", group.id];
  assert.ok((await store.get(key)).value, "the key of the record");
  await store.atomic((operation) =>
    operation.set(key, { ...group, name }).set(["group_names", name], group.id)
      .delete(["group_names", "staff"])
  );
  assert.equal((await groups.update(group.id, { quota: { bytes: 1, files: 0 } })).name, name);
  assert.equal((await groups.update(group.id, { name: "crew" })).name, "crew");
  await assert.rejects(groups.update(group.id, { name }), { code: "invalid_name" });
});
