import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import type { SessionInfo } from "../../../lib/shared/schemas/session.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp();
Deno.test.afterAll(app.close);

async function sessionsOf(token: string): Promise<SessionInfo[]> {
  const answer = await app.call("GET", "/api/sessions", { token });
  assert.equal(answer.status, 200);
  return await answer.json();
}

Deno.test("renew refuses without a token in X-Auth, even with the cookie", async () => {
  const token = await app.tokenOf("admin");
  const headers = { cookie: `auth=${token}` };
  await assertRefused(await app.call("POST", "/api/renew", { headers }), 401, "not_signed_in");
});

Deno.test("renew gives a new token of the same session, one generation on", async () => {
  const token = await app.tokenOf("admin");
  const answer = await app.call("POST", "/api/renew", { token });
  const renewed = await answer.text();
  assert.equal(answer.status, 200);
  assert.ok(answer.headers.get("set-cookie")?.startsWith(`auth=${renewed};`));
  const before = decodeJwt<Record<string, unknown>>(token);
  const after = decodeJwt<Record<string, unknown>>(renewed);
  assert.equal(after.sid, before.sid);
  assert.equal(after.gen, Number(before.gen) + 1);
  await assertStatus(await app.call("GET", "/api/sessions", { token: renewed }), 200);
});

Deno.test("renewed by X-Auth, former tokens go on and may be renewed", async () => {
  const first = await app.tokenOf("admin");
  const renew = (token: string) => app.call("POST", "/api/renew", { token });
  const second = await (await renew(first)).text();
  await app.later(60_000, async () => {
    for (const token of [first, second]) {
      await assertStatus(await app.call("GET", "/api/sessions", { token }), 200);
    }
    const third = await (await renew(first)).text();
    assert.equal(decodeJwt<Record<string, unknown>>(third).gen, 2);
    await assertStatus(await app.call("POST", "/api/logout", { token: first }), 200);
    for (const token of [first, second, third]) {
      await assertRefused(await renew(token), 401, "not_signed_in");
    }
  });
});

Deno.test("renewed by the cookie, all former tokens end the session half a minute later", async () => {
  const first = await app.tokenOf("admin");
  const second = await (await app.call("POST", "/api/renew", { token: first })).text();
  const headers = { cookie: `auth=${second}` };
  const third = await (await app.call("POST", "/api/renew", { token: "cookie", headers })).text();
  for (const token of [first, second, third]) {
    await assertStatus(await app.call("GET", "/api/sessions", { token }), 200);
  }
  await app.later(31_000, async () => {
    await assertStatus(await app.call("GET", "/api/sessions", { token: third }), 200);
    await assertStatus(await app.call("GET", "/api/sessions", { token: first }), 401);
    await assertStatus(await app.call("GET", "/api/sessions", { token: third }), 401);
  });
});

Deno.test("renewal by the cookie wants the cookie", async () => {
  const renewed = await app.call("POST", "/api/renew", { token: "cookie" });
  await assertRefused(renewed, 401, "not_signed_in");
  const headers = { cookie: `auth=${await app.tokenOf("admin")}` };
  const other = await app.call("POST", "/api/logout", { token: "cookie", headers });
  await assertRefused(other, 401, "not_signed_in");
});

Deno.test("an answer asks for renewal once the user has changed", async () => {
  const { user, token } = await app.addUser("dora");
  const before = await app.call("GET", "/api/resources/", { token });
  assert.equal(before.headers.get("x-renew-token"), null);
  await before.body?.cancel();

  await app.cubby.users.update(user.id, { locale: "fr" });
  const after = await app.call("GET", "/api/resources/", { token });
  assert.equal(after.headers.get("x-renew-token"), "true");
  await after.body?.cancel();

  const renewed = await (await app.call("POST", "/api/renew", { token })).text();
  const fresh = await app.call("GET", "/api/resources/", { token: renewed });
  assert.equal(fresh.headers.get("x-renew-token"), null);
  await fresh.body?.cancel();
});

Deno.test("logout ends the session and the cookie", async () => {
  const token = await app.tokenOf("admin");
  const answer = await app.call("POST", "/api/logout", { token });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("set-cookie") ?? "", /^auth=; Path=\/; Max-Age=0; HttpOnly;/);
  await assertRefused(await app.call("POST", "/api/logout", { token }), 401, "not_signed_in");
});

Deno.test("sessions lists one's own with address and agent, and marks this one", async () => {
  const { user, token } = await app.addUser("emil");
  await app.cubby.sessions.open(user, { address: "192.0.2.9", agent: "Firefox" });
  const sessions = await sessionsOf(token);
  assert.equal(sessions.length, 2);
  assert.equal(sessions.filter(({ current }) => current).length, 1);
  const other = sessions.find(({ current }) => !current);
  assert.equal(other?.address, "192.0.2.9");
  assert.equal(other?.agent, "Firefox");
  assert.ok(Date.parse(other?.created ?? "") > 0 && Date.parse(other?.lastSeen ?? "") > 0);
});

Deno.test("nobody ends the session of somebody else", async () => {
  const other = await app.addUser("fred");
  const { sid } = decodeJwt<{ sid: string }>(other.token);
  const token = await app.tokenOf("admin");
  await assertRefused(
    await app.call("DELETE", `/api/sessions/${sid}`, { token }),
    404,
    "not_found",
  );
  assert.equal((await sessionsOf(other.token)).length, 1);
});

Deno.test("a session can be ended by its id, also one's own", async () => {
  const { user, token } = await app.addUser("gina");
  const other = await app.cubby.sessions.open(user, { address: "192.0.2.9", agent: "" });
  const end = (sid: string) => app.call("DELETE", `/api/sessions/${sid}`, { token });

  await assertStatus(await end(other.session.sid), 200);
  await assertStatus(await app.call("GET", "/api/sessions", { token: other.token }), 401);
  assert.equal((await sessionsOf(token)).length, 1);
  await assertRefused(await end(other.session.sid), 404, "not_found");

  const own = await end(decodeJwt<{ sid: string }>(token).sid);
  assert.match(own.headers.get("set-cookie") ?? "", /^auth=; /);
  await assertStatus(own, 200);
  await assertStatus(await app.call("GET", "/api/sessions", { token }), 401);
});

Deno.test("DELETE /api/sessions ends all but this one", async () => {
  const { user, token } = await app.addUser("hugo");
  const others = await Promise.all(
    [1, 2].map(() => app.cubby.sessions.open(user, { address: "192.0.2.9", agent: "" })),
  );
  await assertStatus(await app.call("DELETE", "/api/sessions", { token }), 200);
  for (const other of others) {
    await assertStatus(await app.call("GET", "/api/sessions", { token: other.token }), 401);
  }
  assert.equal((await sessionsOf(token)).length, 1);
});
