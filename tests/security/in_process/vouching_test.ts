import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { startApp, userPassword } from "../../support/app.ts";
import { assertRefused, assertStatus } from "../../support/refused.ts";

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

Deno.test("the proxy's word overrules the token and the cookie of somebody else", async () => {
  const token = await proxied.tokenOf("bea");
  const headers = named("cleo", { cookie: `auth=${token}` });
  const answer = await proxied.call("GET", "/api/raw/a.txt", { token, headers, from });
  await assertRefused(answer, 403, "forbidden");
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
