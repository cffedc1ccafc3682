import assert from "node:assert/strict";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { defaultSettings } from "../../../lib/server/features/settings/settings.ts";
import type { Settings } from "../../../lib/shared/schemas/settings.ts";
import { allPermissions } from "../../../lib/server/core/access/viewer.ts";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const origin = "http://127.0.0.1:8080";
const open = await startApp({
  inProcess: true,
  config: { authMethod: "noauth" },
  tree: { "a.txt": "one" },
});
const proxied = await startApp({
  inProcess: true,
  config: { authMethod: "proxy", authHeader: "x-remote-user", trustedProxies: ["10.0.0.0/8"] },
  tree: { "a.txt": "one" },
});
Deno.test.afterAll(open.close);
Deno.test.afterAll(proxied.close);
await proxied.addUser("bea");
await proxied.addUser("cleo", { perm: { download: false } });

/** A server that makes users of the names that its proxy tells. */
async function startWelcoming(
  settings: Partial<Settings> = {},
  database = ":memory:",
): Promise<TestApp> {
  const app = await startApp({
    inProcess: true,
    config: {
      database,
      authMethod: "proxy",
      authHeader: "x-remote-user",
      authCreateUsers: true,
      trustedProxies: ["10.0.0.0/8"],
    },
    tree: { "a.txt": "one", users: { Taken: { "b.txt": "hers" } } },
  });
  const store = app.cubby.settings;
  await store.update({ ...await store.get(), ...settings });
  return app;
}

/** A text as a header carries it: its UTF-8, byte by byte. */
function asHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

const from = "10.0.0.1";
const named = (name: string, more: Record<string, string> = {}) => ({
  "x-remote-user": name,
  ...more,
});

Deno.test("the header that names a user counts from a trusted proxy alone", async () => {
  const headers = named("bea");
  for (const stranger of ["192.0.2.1", "11.0.0.1", "127.0.0.1"]) {
    const answer = await proxied.call("GET", "/api/resources/", { headers, from: stranger });
    await assertRefused(answer, 401, "not_signed_in", stranger);
  }
  const lying = named("bea", { "x-forwarded-for": "10.0.0.1" });
  await assertStatus(
    await proxied.call("GET", "/api/resources/", { headers: lying, from: "192.0.2.1" }),
    401,
  );
  await assertStatus(await proxied.call("GET", "/api/resources/", { headers, from }), 200);
});

Deno.test("an unknown or empty name is nobody, and no user is made of it", async () => {
  const before = await proxied.cubby.users.count();
  for (const name of ["nobody", "", "bea\t", "BEA", "bea, admin"]) {
    const headers = named(name);
    const answer = await proxied.call("GET", "/api/raw/a.txt", { headers, from });
    assert.ok(name.trim() === "bea" || answer.status === 401, `"${name}" ${answer.status}`);
    await answer.body?.cancel();
  }
  assert.equal(await proxied.cubby.users.count(), before);
});

Deno.test("under proxy, the login call gives the named user a session, and nobody else", async () => {
  const answer = await proxied.call("POST", "/api/login", { headers: named("bea"), from });
  const token = await answer.text();
  assert.equal(decodeJwt<{ user: { username: string } }>(token).user.username, "bea");
  const json = { username: "bea", password: userPassword };
  const stranger = { json, headers: named("bea"), from: "192.0.2.1" };
  await assertRefused(await proxied.call("POST", "/api/login", stranger), 403, "wrong_credentials");
});

Deno.test("the one session of a vouched user serves all requests, and opens anew when it ends", async () => {
  const headers = named("bea");
  const list = () => proxied.call("GET", "/api/sessions", { headers, from });
  await Promise.all([1, 2, 3].map(async () => await (await list()).body?.cancel()));
  const sessions: { agent: string; sid: string }[] = await (await list()).json();
  const standing = sessions.filter(({ agent }) => agent === "Without sign-in");
  assert.equal(standing.length, 1);

  const bea = await proxied.cubby.users.byName("bea");
  await proxied.cubby.users.update(bea?.id ?? 0, { scope: "/elsewhere" });
  await Deno.mkdir(`${proxied.root}/elsewhere`);
  const answer = await proxied.call("GET", "/api/resources/", { headers, from });
  assert.deepEqual((await answer.json()).items, []);
});

Deno.test("without sign-in, everybody is the first user", async () => {
  const answer = await open.call("GET", "/api/raw/a.txt", { origin });
  assert.equal(await answer.text(), "one");
  await assertStatus(await open.call("POST", "/api/resources/b.txt", { origin, body: "x" }), 200);
  const login = await open.call("POST", "/api/login", { origin });
  assert.equal(decodeJwt<{ user: { id: number } }>(await login.text()).user.id, 1);
});

Deno.test("of a name that comes from elsewhere than a trusted proxy no user is made", async () => {
  await using app = await startWelcoming();
  const headers = named("dora", { "x-forwarded-for": "10.0.0.1" });
  for (const stranger of ["192.0.2.1", "11.0.0.1", "127.0.0.1", "::1"]) {
    const answer = await app.call("GET", "/api/resources/", { headers, from: stranger });
    await assertRefused(answer, 401, "not_signed_in", stranger);
    const login = await app.call("POST", "/api/login", { headers, from: stranger });
    await assertRefused(login, 403, "wrong_credentials", stranger);
  }
  assert.equal(await app.cubby.users.count(), 1);
});

Deno.test("of no name, one too long, unprintable or doubled, no user is made", async () => {
  await using app = await startWelcoming();
  const names = [
    ...["", " ", "a".repeat(256), "\xff\xfe", "dora, admin", "dora,", "..", "/", "---"],
    ...["do\u0085ra", "do\u2028ra", "\u202Eador", "do\u200bra", "do\ufeffra"].map(asHeader),
  ];
  for (const name of names) {
    const answer = await app.call("GET", "/api/raw/a.txt", { headers: named(name), from });
    await assertRefused(answer, 401, "not_signed_in", JSON.stringify(name));
  }
  assert.equal(await app.cubby.users.count(), 1);
  assert.deepEqual([...Deno.readDirSync(`${app.root}/users`)].map(({ name }) => name), ["Taken"]);
});

Deno.test("a name whose home is somebody's gets neither the home nor an account", async () => {
  await using app = await startWelcoming();
  for (let times = 0; times < 3; times++) {
    const answer = await app.call("GET", "/api/raw/b.txt", { headers: named("tAKEN"), from });
    await assertRefused(answer, 401, "not_signed_in");
  }
  assert.equal(await app.cubby.users.byName("tAKEN"), null);
  const told = app.log.lines.filter((line) => line.includes('Cannot create the user "tAKEN"'));
  assert.equal(told.length, 1, "one line, however often the name comes");
});

Deno.test("rich defaults make nobody whom a proxy names an administrator or a runner of programs", async () => {
  const { defaults } = defaultSettings();
  await using app = await startWelcoming({
    defaults: { ...defaults, perm: allPermissions(), commands: ["sh"], locale: "pt-br" },
  });
  const call = (path: string) => app.call("GET", path, { headers: named("dora"), from });
  assert.deepEqual((await (await call("/api/resources/")).json()).items, []);
  const dora = await app.cubby.users.byName("dora");
  assert.deepEqual([dora?.perm.admin, dora?.perm.execute, dora?.commands], [false, false, []]);
  assert.deepEqual([dora?.scope, dora?.locale, dora?.perm.share], ["/users/dora", "pt-br", true]);
  await assertRefused(await call("/api/settings"), 403, "forbidden");
});

Deno.test("without homes, who is named gets the scope of the defaults", async () => {
  const { defaults } = defaultSettings();
  await using app = await startWelcoming({ defaults: { ...defaults, scope: "/users/Taken" } });
  const headers = named(asHeader("Zoë"));
  const answer = await app.call("GET", "/api/raw/b.txt", { headers, from });
  assert.equal(await answer.text(), "hers");
  assert.equal((await app.cubby.users.byName("Zoë"))?.scope, "/users/Taken");
});

Deno.test("first requests at once of one name make one user, and all are answered", async () => {
  await using app = await startWelcoming();
  const call = () => app.call("GET", "/api/resources/", { headers: named("dora"), from });
  const answers = await Promise.all(Array.from({ length: 10 }, call));
  for (const answer of answers) await assertStatus(answer, 200);
  assert.equal(await app.cubby.users.count(), 2);
});

Deno.test("two servers on one store make one user of one name", async () => {
  await using folder = await temporaryFolder();
  const database = join(folder.path, "store.kv");
  await using one = await startWelcoming({}, database);
  await using other = await startWelcoming({}, database);
  const call = (app: TestApp) => app.call("POST", "/api/login", { headers: named("dora"), from });
  const answers = await Promise.all([one, other, one, other].map(call));
  const tokens = await Promise.all(answers.map((answer) => answer.text()));
  const ids = tokens.map((token) => decodeJwt<{ user: { id: number } }>(token).user.id);
  assert.deepEqual(ids, [2, 2, 2, 2]);
  assert.equal(await one.cubby.users.count(), 2);
});
