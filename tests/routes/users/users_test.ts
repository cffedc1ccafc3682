import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { startApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({ tree: { users: { Old: { "a.txt": "hers" } } } });
Deno.test.afterAll(app.close);
const admin = await app.tokenOf("admin");
const proof = { current_password: app.admin.password };

function put(id: number, token: string, which: string[], data: object, more: object = {}) {
  const json = { what: "user", which, data: { id, ...data }, ...more };
  return app.call("PUT", `/api/users/${id}`, { token, json });
}

function post(data: object, more: object = proof) {
  const json = {
    what: "user",
    which: [],
    data: { id: 0, password: userPassword, ...data },
    ...more,
  };
  return app.call("POST", "/api/users", { token: admin, json });
}

async function idOf(answer: Response): Promise<number> {
  await assertStatus(answer, 201);
  return Number(/^\/settings\/users\/(\d+)$/.exec(answer.headers.get("location") ?? "")?.[1]);
}

Deno.test("users are nobody's business but an administrator's", async () => {
  const { user, token } = await app.addUser("anna");
  const other = await app.addUser("bert");
  await assertRefused(await app.call("GET", "/api/users", { token }), 403, "forbidden");
  await assertRefused(await app.call("POST", "/api/users", { token, json: {} }), 403, "forbidden");
  for (const id of [1, other.user.id, 999]) {
    const path = `/api/users/${id}`;
    await assertRefused(await app.call("GET", path, { token }), 403, "forbidden");
    await assertRefused(await put(id, token, ["locale"], { locale: "de" }), 403, "forbidden");
    await assertRefused(await app.call("DELETE", path, { token }), 403, "forbidden");
  }
  const own = `/api/users/${user.id}`;
  await assertRefused(await app.call("DELETE", own, { token }), 403, "forbidden");
});

Deno.test("a request about a user must say so, and mean the one in the address", async () => {
  const { user: { id } } = await app.addUser("carl");
  const refused = [
    { which: ["locale"], data: { locale: "de" } },
    { what: "settings", which: ["locale"], data: { locale: "de" } },
    { what: "user", which: ["locale"] },
    { what: "user", which: ["locale"], data: [] },
    { what: "user", which: ["locale"], data: { id: id + 1, locale: "de" } },
    { what: "user", which: ["locale"], data: { id: String(id), locale: "de" } },
    { what: "user", which: ["nickname"], data: { id, nickname: "c" } },
    { what: "user", which: ["locale"], data: { id } },
    { what: "user", which: "locale", data: { id, locale: "de" } },
    { what: "user", which: ["viewMode"], data: { id, viewMode: "pile" } },
    { what: "user", which: ["sorting"], data: { id, sorting: { by: "colour", asc: true } } },
    { what: "user", which: ["groups"], data: { id, groups: [...Array(401).keys()] } },
  ];
  for (const json of refused) {
    const answer = await app.call("PUT", `/api/users/${id}`, { token: admin, json });
    await assertRefused(answer, 400, "invalid_body");
  }
  for (const id of ["0", "01", "1e3", "x", "99999"]) {
    const answer = await app.call("GET", `/api/users/${id}`, { token: admin });
    await assertRefused(answer, 404, "not_found");
  }
});

Deno.test("users change their own preferences without a password, and nothing else", async () => {
  const { user: { id }, token } = await app.addUser("dora");
  const own = {
    locale: "de",
    viewMode: "mosaic",
    singleClick: true,
    sorting: { by: "size", asc: false },
    hideDotfiles: true,
    dateFormat: true,
    redirectAfterCopyMove: true,
    aceEditorTheme: "monokai",
  };
  await assertStatus(await put(id, token, Object.keys(own), own), 200);
  const info = await (await app.call("GET", `/api/users/${id}`, { token })).json();
  assert.deepEqual({ ...info, ...own }, info);
  assert.ok(!("passwordHash" in info) && info.password === "");

  const foreign = {
    username: "root",
    scope: "/users",
    mail: "spam@example.org",
    lockPassword: false,
    perm: { admin: true },
    commands: ["sh"],
    rules: [],
  };
  for (const [name, value] of Object.entries(foreign)) {
    for (const spelled of [name, name.toUpperCase()]) {
      const answer = await put(id, token, [spelled], { [name]: value, [spelled]: value }, {
        current_password: userPassword,
      });
      await assertRefused(answer, 403, "forbidden");
    }
  }
  for (const which of [[], ["all"], ["ALL"], ["locale", "all"]]) {
    await assertRefused(await put(id, token, which, { ...own, ...foreign }), 403, "forbidden");
  }
  assert.equal((await app.cubby.users.get(id)).perm.admin, false);
});

Deno.test("a new password takes the current one, ends all sessions and opens another", async () => {
  const { user: { id }, token } = await app.addUser("emil");
  const other = await app.tokenOf("emil");
  const change = { password: "a heron waits in the 4th pond" };
  for (const more of [{}, { current_password: "" }, { current_password: "guessed it is" }]) {
    const answer = await put(id, token, ["password"], change, more);
    await assertRefused(answer, 403, "wrong_credentials");
  }
  const known = { current_password: userPassword };
  const weak = await put(id, token, ["password"], { password: "short" }, known);
  await assertRefused(weak, 400, "invalid_password");

  const answer = await put(id, token, ["Password"], change, known);
  const renewed = await answer.text();
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("set-cookie") ?? "", /^auth=/);
  for (const dead of [token, other]) {
    const late = await app.call("GET", "/api/sessions", { token: dead });
    await assertRefused(late, 401, "not_signed_in");
  }
  await assertStatus(await app.call("GET", "/api/sessions", { token: renewed }), 200);
});

Deno.test("whose password is locked can't change it", async () => {
  const { user: { id } } = await app.addUser("fred");
  await assertStatus(await put(id, admin, ["lockPassword"], { lockPassword: true }, proof), 200);
  const token = await app.tokenOf("fred");
  const more = { current_password: userPassword };
  const change = { password: "a heron waits in the 5th pond" };
  await assertRefused(await put(id, token, ["password"], change, more), 403, "forbidden");
});

Deno.test("rights are given and taken for the administrator's own password alone", async () => {
  const { user: { id }, token } = await app.addUser("gina");
  const changes = {
    perm: { delete: false },
    scope: "/users/Old",
    rules: [deny("/a.txt")],
    commands: ["git"],
    username: "gina2",
  };
  for (const [name, value] of Object.entries(changes)) {
    const refused = await put(id, admin, [name], { [name]: value }, {
      current_password: userPassword,
    });
    await assertRefused(refused, 403, "wrong_credentials");
    await assertStatus(await put(id, admin, [name], { [name]: value }, proof), 200);
  }
  await assertRefused(await app.call("GET", "/api/sessions", { token }), 401, "not_signed_in");
  const info = await (await app.call("GET", `/api/users/${id}`, { token: admin })).json();
  assert.equal(info.username, "gina2");
  assert.equal(info.perm.delete, false);
  assert.equal(info.perm.create, true);
  assert.deepEqual(info.rules, changes.rules);
  const mine = await app.tokenOf("gina2");
  const own = await (await app.call("GET", `/api/users/${id}`, { token: mine })).json();
  assert.equal(own.scope, "/users/Old");
  assert.deepEqual(own.rules, [], "what rules hide is not told to whom they hide it from");
});

Deno.test("saving all fields unchanged needs no password and ends no session", async () => {
  const { user: { id }, token } = await app.addUser("hugo");
  const info = await (await app.call("GET", `/api/users/${id}`, { token: admin })).json();
  await assertStatus(await put(id, admin, [], { ...info, password: "" }), 200);
  await assertStatus(await app.call("GET", "/api/sessions", { token }), 200);
});

Deno.test("an administrator who changes its own rights stays signed in", async () => {
  const { user: { id } } = await app.addUser("ines", { perm: { admin: true } });
  const token = await app.tokenOf("ines");
  const answer = await put(id, token, ["scope"], { scope: "/users" }, {
    current_password: userPassword,
  });
  const next = await answer.text();
  assert.equal(decodeJwt<{ user: { id: number } }>(next).user.id, id);
  await assertStatus(await app.call("GET", "/api/users", { token: next }), 200);
});

Deno.test("the last administrator can neither go nor be demoted", async () => {
  await using alone = await startApp();
  const token = await alone.tokenOf("admin");
  const json = { what: "user", which: ["perm"], data: { perm: { admin: false } }, ...proof };
  const demotion = await alone.call("PUT", "/api/users/1", { token, json });
  await assertRefused(demotion, 403, "last_admin");
  const deletion = await alone.call("DELETE", "/api/users/1", { token, json: proof });
  await assertRefused(deletion, 403, "last_admin");
});

Deno.test("deleting a user takes the administrator's password, and ends the user's sessions", async () => {
  const { user: { id }, token } = await app.addUser("jana");
  const path = `/api/users/${id}`;
  for (const json of [undefined, {}, { current_password: "guessed it is" }]) {
    const answer = await app.call("DELETE", path, { token: admin, json });
    await assertRefused(answer, 403, "wrong_credentials");
  }
  await assertStatus(await app.call("DELETE", path, { token: admin, json: proof }), 200);
  await assertRefused(await app.call("GET", "/api/sessions", { token }), 401, "not_signed_in");
  await assertRefused(await app.call("GET", path, { token: admin }), 404, "not_found");
  await assertRefused(await put(id, admin, ["locale"], { locale: "de" }), 404, "not_found");
});

Deno.test("a new user gets the defaults where nothing else is said", async () => {
  await assertRefused(await post({ username: "kai" }, {}), 403, "wrong_credentials");
  await assertRefused(await post({ username: "kai", password: "short" }), 400, "invalid_password");
  await assertRefused(await post({ username: " " }), 400, "invalid_name");
  await assertRefused(await post({ username: "kai", scope: "/../etc" }), 400, "invalid_path");
  const bad = { regex: true, regexp: { raw: "(" }, path: "", allow: false };
  await assertRefused(await post({ username: "kai", rules: [bad] }), 400, "invalid_rule");

  const id = await idOf(await post({ username: "kai", perm: { share: false }, locale: "fr" }));
  const info = await (await app.call("GET", `/api/users/${id}`, { token: admin })).json();
  assert.equal(info.locale, "fr");
  assert.equal(info.perm.share, false);
  assert.equal(info.perm.create, true);
  assert.equal(info.perm.admin, false);
  await assertRefused(await post({ username: "kai" }), 409, "exists");

  const list = await (await app.call("GET", "/api/users", { token: admin })).json();
  assert.ok(list.some((user: { username: string; id: number }) => user.id === id));
  assert.ok(!JSON.stringify(list).includes("$2"), "hashes do not leave the server");
});

Deno.test("an administrator has every permission and an open password, whatever is said", async () => {
  const data = { username: "lena", perm: { admin: true, create: false }, lockPassword: true };
  const id = await idOf(await post(data));
  const { perm, lockPassword } = await app.cubby.users.get(id);
  assert.ok(Object.values(perm).every(Boolean));
  assert.equal(lockPassword, false);
});

Deno.test("users get homes of their own when the settings say so, or the scope that is named", async () => {
  await using homes = await startApp({ tree: { users: { old: { "a.txt": "hers" } } } });
  const token = await homes.tokenOf("admin");
  const settings = await homes.cubby.settings.get();
  await homes.cubby.settings.update({ ...settings, createUserDir: true });
  const add = async (username: string, scope?: string) => {
    const data = { username, scope, password: userPassword };
    const json = { what: "user", which: [], data, ...proof };
    return await homes.call("POST", "/api/users", { token, json });
  };
  const scopeOf = async (username: string) => (await homes.cubby.users.byName(username))?.scope;
  await idOf(await add("New one"));
  assert.equal(await scopeOf("New one"), "/users/New-one");
  assert.ok(Deno.statSync(`${homes.root}/users/New-one`).isDirectory);
  await assertRefused(await add("new-ONE"), 409, "exists");
  await idOf(await add("old", " "));
  assert.equal(Deno.readTextFileSync(`${homes.root}/users/old/a.txt`), "hers");
  await idOf(await add("named", "/users/elsewhere"));
  assert.equal(await scopeOf("named"), "/users/elsewhere");
});

Deno.test("without sign-in there is no password to ask for", async () => {
  await using open = await startApp({ config: { authMethod: "noauth" } });
  const json = { what: "user", data: { username: "mia", password: userPassword } };
  await idOf(await open.call("POST", "/api/users", { json, origin: "http://127.0.0.1" }));
});
