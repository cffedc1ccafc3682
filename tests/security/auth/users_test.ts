// With two threads, too: users who change or end, the last administrator.
import assert from "node:assert/strict";
import { startApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ tree: { home: {}, other: { "a.txt": "hers" } } });
Deno.test.afterAll(app.close);
const admin = await app.tokenOf("admin");
const proof = { current_password: userPassword };

const rights = { admin: true, execute: true };
/** What somebody who is no administrator would like to be. */
const greedy = {
  perm: rights,
  Perm: rights,
  PERM: rights,
  admin: true,
  scope: "/",
  Scope: "/",
  rules: [],
  commands: ["sh"],
  lockPassword: false,
  username: "admin2",
  passwordHash: "",
  epoch: 0,
};

function put(address: number, token: string, which: unknown, data: object): Promise<Response> {
  const json = { what: "user", which, data, ...proof };
  return app.call("PUT", `/api/users/${address}`, { token, json });
}

async function recordOf(id: number): Promise<string> {
  const { version: _, ...record } = await app.cubby.users.get(id);
  return JSON.stringify(record);
}

Deno.test("nobody takes rights by the letters of a field's name, or a list of none", async () => {
  const { user: { id }, token } = await app.addUser("mallory", { scope: "/home" });
  const before = await recordOf(id);
  const lists = [[], null, undefined, ["all"], ["ALL"], ["All", "locale"]];
  const named = ["perm", "Perm", "PERM", "pErM", "Scope", "RULES", "Commands", "lockpassword"];
  for (const which of [...lists, ...named.map((name) => [name]), ["locale", "PERM"]]) {
    const answer = await put(id, token, which, { id, locale: "de", ...greedy });
    await assertRefused(answer, 403, "forbidden", JSON.stringify(which));
  }
  for (const which of [["perm.admin"], ["__proto__"], ["constructor"], ["id"], ["epoch"], "perm"]) {
    const answer = await put(id, token, which, { id, locale: "de", ...greedy });
    await assertRefused(answer, 400, "invalid_body", JSON.stringify(which));
  }
  assert.equal(await recordOf(id), before);
  await assertStatus(await put(id, token, ["Locale"], { id, ...greedy, locale: "de" }), 200);
  assert.equal(await recordOf(id), before.replace('"locale":""', '"locale":"de"'));
});

Deno.test("nobody changes another by an id in the body that the address does not have", async () => {
  const { user: { id }, token } = await app.addUser("trudy");
  const victim = await app.addUser("victim");
  const before = await recordOf(victim.user.id);
  for (const wrong of [victim.user.id, String(id), 0, -1, id + 0.5, [id], { id }]) {
    const answer = await put(id, token, ["locale"], { id: wrong, locale: "de" });
    await assertRefused(answer, 400, "invalid_body", JSON.stringify(wrong));
  }
  for (const wrong of [victim.user.id, 1]) {
    const answer = await put(wrong, token, ["locale"], { id, locale: "de" });
    await assertRefused(answer, 403, "forbidden");
  }
  for (const path of [`0${id}`, `${id}.0`, `+${id}`, `${id}%20`, `${id}e0`]) {
    const json = { what: "user", which: ["locale"], data: { locale: "de" } };
    const answer = await app.call("PUT", `/api/users/${path}`, { token, json });
    await assertRefused(answer, 404, "not_found", path);
  }
  assert.equal(await recordOf(victim.user.id), before);
});

Deno.test("a new user is made by administrators alone, whatever else is said", async () => {
  const { token } = await app.addUser("climber");
  const count = await app.cubby.users.count();
  for (const what of ["user", "User", "signup"]) {
    const data = { ...greedy, username: "puppet", password: userPassword };
    const json = { what, which: [], data, ...proof };
    const answer = await app.call("POST", "/api/users", { token, json });
    await assertRefused(answer, 403, "forbidden");
  }
  assert.equal(await app.cubby.users.count(), count);
});

Deno.test("administrators who demote and delete each other at once leave one", async () => {
  const own = { current_password: app.admin.password };
  const ids: number[] = [];
  for (const name of ["left", "right"]) {
    ids.push((await app.addUser(name, { perm: { admin: true } })).user.id);
  }
  const demote = (id: number) => {
    const data = { perm: { admin: false } };
    const json = { what: "user", which: ["perm"], data, ...own };
    return app.call("PUT", `/api/users/${id}`, { token: admin, json });
  };
  const remove = (id: number) =>
    app.call("DELETE", `/api/users/${id}`, { token: admin, json: own });
  const [left = 0, right = 0] = ids;
  const answers = await Promise.all([demote(left), remove(right), demote(1), remove(left)]);
  for (const answer of answers) await answer.body?.cancel();
  const admins = (await app.cubby.users.list()).filter(({ perm }) => perm.admin);
  assert.ok(admins.length >= 1, "somebody has to be left");
});
