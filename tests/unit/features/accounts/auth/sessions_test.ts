import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { decodeJwt } from "jose";
import { toSessionInfo } from "../../../../../lib/server/features/accounts/auth/session.ts";
import { defaultSettings } from "../../../../../lib/server/features/settings/settings.ts";
import { toTokenUser } from "../../../../../lib/server/features/accounts/users/user.ts";
import { temporaryFolder } from "../../../../support/disks/files.ts";
import { client, type Identity, lifeMs, openIdentity, passwordOf } from "../users/identity.ts";
import { beforeCommit, refused } from "./mishaps.ts";
import { sessionRecords } from "../../../../../lib/server/features/accounts/users/user_records.ts";

const minute = 60_000;

function signIn(it: Identity, username: string, password = passwordOf(username)) {
  return it.sessions.signIn({ username, password, ...client });
}

Deno.test("signIn() refuses a wrong password and an unknown name in the same words", async () => {
  using it = await openIdentity();
  await it.add("anna");
  const message = "Cannot sign in: the name or the password is wrong";
  for (const [name, password] of [["anna", "wrong"], ["bert", "wrong"], ["", ""], ["anna", ""]]) {
    const attempt = signIn(it, name ?? "", password);
    await assert.rejects(attempt, { code: "wrong_credentials", message }, `${name}`);
  }
});

Deno.test("signIn() opens a session whose token says who it is", async () => {
  using it = await openIdentity();
  const anna = await it.add("anna", { locale: "is" });
  const { token, user, session } = await signIn(it, " anna ", passwordOf("anna"));
  assert.equal(user.id, anna.id);
  const { exp = 0, iat = 0, ...claims } = decodeJwt(token);
  const known = { iss: "File Browser", sid: session.sid, gen: 1, ver: 1 };
  assert.deepEqual(claims, { ...known, user: toTokenUser(anna) });
  assert.equal(exp - iat, lifeMs / 1000);
  assert.match(session.sid, /^[\w-]{22}$/, "128 bits");
});

Deno.test("confirm() refuses a wrong password and is throttled like the login", async () => {
  using it = await openIdentity();
  const anna = await it.add("anna");
  await it.sessions.confirm(anna, passwordOf("anna"), client.address);
  for (let guess = 0; guess < 5; guess++) {
    const wrong = it.sessions.confirm(anna, "wrong", client.address);
    await assert.rejects(wrong, { code: "wrong_credentials" });
  }
  const right = it.sessions.confirm(anna, passwordOf("anna"), client.address);
  await assert.rejects(right, { code: "throttled" });
  await assert.rejects(signIn(it, "anna"), { code: "throttled" });
});

Deno.test("authenticate() gives the user, the session and the settings as they are", async () => {
  using it = await openIdentity();
  const anna = await it.add("anna");
  const { token, session } = await it.sessions.open(anna, client);
  const settings = { ...defaultSettings(), signup: true };
  await it.settings.update(settings);
  assert.deepEqual(await it.sessions.authenticate(token), {
    user: anna,
    session,
    settings,
    stale: false,
  });
});

Deno.test("authenticate() reads the store once and writes nothing", async () => {
  using it = await openIdentity();
  const { token, session } = await it.sessions.open(await it.add("anna"), client);
  const before = await it.store.get(sessionRecords.key(1, session.sid));
  const calls: string[] = [];
  for (const name of ["get", "getMany", "list", "atomic"] as const) {
    const original = it.store[name] as (...args: unknown[]) => unknown;
    Object.assign(it.store, {
      [name]: (...args: unknown[]) => {
        calls.push(name);
        return original(...args);
      },
    });
  }
  await it.sessions.authenticate(token);
  assert.deepEqual(calls, ["getMany"]);
  const after = await it.store.get(sessionRecords.key(1, session.sid));
  assert.equal(after.versionstamp, before.versionstamp);
});

Deno.test("authenticate() notes the use of a session once a minute", async () => {
  using it = await openIdentity();
  const { token, session } = await it.sessions.open(await it.add("anna"), client);
  const seen = async () => (await it.sessions.list(1))[0]?.lastSeen;
  it.clock.now += minute - 1;
  await it.sessions.authenticate(token);
  assert.equal(await seen(), session.lastSeen);
  it.clock.now += 1;
  await Promise.all([1, 2, 3].map(() => it.sessions.authenticate(token)));
  assert.equal(await seen(), session.lastSeen + minute);
});

Deno.test("noting the use of a session does not revive one that ends meanwhile", async () => {
  using it = await openIdentity();
  const { token, session } = await it.sessions.open(await it.add("anna"), client);
  it.clock.now += minute;
  beforeCommit(it, () => it.sessions.end(1, session.sid));
  await it.sessions.authenticate(token);
  await refused(it, token);
  assert.deepEqual(await it.store.list(sessionRecords.prefix(1)), []);
});

Deno.test("authenticate() refuses a token whose life is over", async () => {
  using it = await openIdentity();
  const { token } = await it.sessions.open(await it.add("anna"), client);
  it.clock.now += lifeMs - 1000;
  await it.sessions.authenticate(token);
  it.clock.now += 1000;
  await refused(it, token);
  assert.deepEqual(await it.sessions.list(1), []);
});

Deno.test("removeExpired() removes the records of sessions that are over, and no others", async () => {
  using it = await openIdentity();
  const anna = await it.add("anna");
  await it.sessions.open(anna, client);
  const { token, session } = await it.sessions.open(anna, client);
  it.clock.now += lifeMs - minute;
  await it.sessions.renew(token);
  await it.sessions.removeExpired();
  assert.equal((await it.store.list(sessionRecords.prefix())).length, 2);
  it.clock.now += minute;
  await it.sessions.removeExpired();
  const left = await it.store.list(sessionRecords.prefix());
  assert.deepEqual(left.map(({ key }) => key), [sessionRecords.key(anna.id, session.sid)]);
});

Deno.test("no record is left to the store to expire: it ends the process when it cannot", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  using it = await openIdentity(path);
  await it.add("anna");
  await signIn(it, "anna");
  await assert.rejects(signIn(it, "anna", "wrong"), { code: "wrong_credentials" });
  using file = new DatabaseSync(path, { readOnly: true });
  assert.deepEqual(file.prepare("select k from kv where expiration_ms >= 0").all(), []);
});

Deno.test("end(), endOthers() and endAll() end what they say and nothing else", async () => {
  using it = await openIdentity();
  const anna = await it.add("anna");
  const bert = await it.add("bert");
  const mine = await Promise.all([1, 2, 3, 4].map(() => it.sessions.open(anna, client)));
  const his = await it.sessions.open(bert, client);
  const [a, b, c, d] = mine;
  assert.ok(a && b && c && d);

  await it.sessions.end(bert.id, a.session.sid);
  await it.sessions.authenticate(a.token);
  await it.sessions.end(anna.id, a.session.sid);
  await refused(it, a.token);
  assert.equal(await it.sessions.endOthers(anna.id, b.session.sid), 2);
  await refused(it, c.token);
  await refused(it, d.token);
  await it.sessions.authenticate(b.token);
  assert.equal(await it.sessions.endAll(anna.id), 1);
  await refused(it, b.token);
  await it.sessions.authenticate(his.token);
});

Deno.test("a session ended in one process is dead in the other at once", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  using one = await openIdentity(path);
  using two = await openIdentity(path);
  const anna = await one.add("anna");
  const { token, session } = await one.sessions.open(anna, client);
  const signedIn = await two.sessions.authenticate(token);
  await one.sessions.end(anna.id, session.sid);
  await refused(two, token);
  assert.equal(await two.sessions.isAlive(signedIn), false);
});

Deno.test("list() tells the owner where sessions are used, newest first", async () => {
  using it = await openIdentity();
  const anna = await it.add("anna");
  const first = await it.sessions.open(anna, { address: "192.0.2.1", agent: "x".repeat(1000) });
  it.clock.now += 1000;
  const second = await it.sessions.open(anna, { address: "2001:db8::1", agent: "Firefox" });
  const [newer, older] = (await it.sessions.list(anna.id)).map((session) =>
    toSessionInfo(session, second.session.sid)
  );
  const created = new Date(it.clock.now).toISOString();
  assert.deepEqual(newer, {
    sid: second.session.sid,
    created,
    lastSeen: created,
    address: "2001:db8::1",
    agent: "Firefox",
    current: true,
  });
  assert.equal(older?.sid, first.session.sid);
  assert.equal(older?.current, false);
  assert.equal(older?.agent.length, 300);
});

Deno.test("a token of another server's key is refused", async () => {
  using one = await openIdentity();
  using two = await openIdentity();
  const { token } = await one.sessions.open(await one.add("anna"), client);
  await two.sessions.open(await two.add("anna"), client);
  await refused(two, token);
});
