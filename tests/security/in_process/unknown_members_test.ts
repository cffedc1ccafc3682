import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  inProcess: true,
  tree: { docs: { "a.txt": "a" } },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const current_password = app.admin.password;
await app.addUser("eve");

async function assertNamed(method: string, path: string, json: unknown, name: string) {
  const answer = await app.call(method, path, { token, json });
  const text = await answer.text();
  assert.equal(answer.status, 400, `${method} ${path} ${JSON.stringify(json)}: ${text}`);
  const { code, message } = JSON.parse(text);
  assert.equal(code, "invalid_body", text);
  assert.ok(message.includes(JSON.stringify(name)), `${name} in ${message}`);
}

Deno.test("a typo in the body of a share or a request is named, and makes no open link", async () => {
  const shares = "/api/share/docs";
  for (
    const [json, name] of [
      [{ passwort: "open sesame" }, "passwort"],
      [{ password: "x", Password: "y" }, "Password"],
      [{ expires: 1, units: "days" }, "units"],
      [{ days: 3 }, "days"],
      [{ audience: [{ name: "eve", mey: "view" }] }, "audience[0].mey"],
      [{ audience: ["eve", { name: "eve", may: "view", until: 1 }] }, "audience[1].until"],
      [{ "": 1 }, ""],
      [{ constructor: 1 }, "constructor"],
      [JSON.parse('{"__proto__": {"password": "x"}}'), "__proto__"],
      [{ 'a"b\n': 1 }, 'a"b\n'],
    ] as const
  ) {
    await assertNamed("POST", shares, json, name);
    await assertNamed("POST", `/api/share?path=docs`, json, name);
  }
  for (const name of ["maxfiles", "passwort", "days", "maxFilesize"]) {
    await assertNamed("POST", "/api/request/docs", { [name]: 1 }, name);
  }
  for (const list of ["/api/shares", "/api/requests"]) {
    assert.deepEqual(await (await app.call("GET", list, { token })).json(), []);
  }
  const { hash } = await (await app.call("POST", shares, { token, json: {} })).json();
  await assertNamed("PATCH", `/api/share/${hash}`, { passwort: "x" }, "passwort");
  assert.equal((await app.cubby.shares.get(hash)).passwordHash, null);
  const invite = { username: "new", days: 1, current_password };
  await assertNamed("POST", "/api/invites", invite, "days");
  const apiToken = { name: "t", expire: "2030-01-01T00:00:00Z", current_password };
  await assertNamed("POST", "/api/tokens", apiToken, "expire");
  const job = { action: "trash", entries: [{ path: "/docs", overwrite: true }] };
  await assertNamed("POST", "/api/jobs", job, "entries[0].overwrite");
});

Deno.test("members are named below a base path as well", async () => {
  await using below = await startApp({
    inProcess: true,
    config: { baseUrl: "/base" },
    tree: { "a.txt": "a" },
  });
  const token = await below.tokenOf("admin");
  const json = { passwort: "open sesame" };
  const answer = await below.call("POST", "/base/api/share/a.txt", { token, json });
  await assertRefused(answer, 400, "invalid_body");
});

Deno.test("what File Browser's clients send besides is ignored, at any depth", async () => {
  const login = { username: "admin", password: app.admin.password, recaptcha: "", remember: true };
  await assertStatus(await app.call("POST", "/api/login", { json: login }), 200);
  const data = { username: "fred", password: "a long enough word", perm: { fly: true }, extra: {} };
  const user = { what: "user", which: [], data, current_password, more: 1 };
  await assertStatus(await app.call("POST", "/api/users", { token, json: user }), 201);
  const settings = await (await app.call("GET", "/api/settings", { token })).json();
  const json = { ...settings, current_password, more: 1 };
  await assertStatus(await app.call("PUT", "/api/settings", { token, json }), 200);
});

Deno.test("a typo in what File Browser has not is named in its calls, too", async () => {
  const wrong: [data: object, name: string][] = [
    [{ roots: [{ name: "docs", path: "/docs", readonly: true }] }, "data.roots[0].readonly"],
    [{ quota: { byte: 5 } }, "data.quota.byte"],
  ];
  for (const [data, name] of wrong) {
    const draft = { username: "gail", password: "a long enough word", ...data };
    const user = { what: "user", which: [], data: draft, current_password };
    await assertNamed("POST", "/api/users", user, name);
    const change = { what: "user", which: Object.keys(data), data, current_password };
    await assertNamed("PUT", "/api/users/2", change, name);
  }
});

Deno.test("a typo in the query of a share or a request is named, and makes no open link", async () => {
  for (const name of ["passwort", "expire", "Password", "audience", "downloadLimit", "viewOnly"]) {
    for (const address of [`/api/share/docs?${name}=1`, `/api/request/docs?${name}=1`]) {
      const answer = await app.call("POST", address, { token });
      const { code, message } = await answer.json();
      assert.deepEqual([answer.status, code], [400, "invalid_option"], address);
      assert.ok(message.includes(JSON.stringify(name)), message);
    }
  }
  const inQuery = await app.call("POST", "/api/request/docs?password=open", { token });
  await assertRefused(inQuery, 400, "invalid_option");
  const asBrowser = "/api/share/docs?password=open&expires=2&unit=days";
  const share = await (await app.call("POST", asBrowser, { token })).json();
  assert.equal(share.hasPassword, true);
  const { length } = await (await app.call("GET", "/api/requests", { token })).json();
  assert.equal(length, 0);
});
