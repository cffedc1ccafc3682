import assert from "node:assert/strict";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { temporaryFolder } from "../../../../support/disks/files.ts";
import { client, lifeMs, openIdentity } from "../users/identity.ts";
import { beforeCommit, refused } from "./mishaps.ts";
import { sessionRecords } from "../../../../../lib/server/features/accounts/users/user_records.ts";

const minute = 60_000;

Deno.test("a token grows stale in the second half of its life", async () => {
  using it = await openIdentity();
  const { token } = await it.sessions.open(await it.add("anna"), client);
  it.clock.now += lifeMs / 2 - 1000;
  assert.equal((await it.sessions.authenticate(token)).stale, false);
  it.clock.now += 2000;
  assert.equal((await it.sessions.authenticate(token)).stale, true);
  const renewed = await it.sessions.renew(token);
  assert.equal((await it.sessions.authenticate(renewed.token)).stale, false);
});

Deno.test("renew() gives the next generation a whole life, and keeps the session", async () => {
  using it = await openIdentity();
  const { token, session } = await it.sessions.open(await it.add("anna"), client);
  it.clock.now += lifeMs - minute;
  const renewed = await it.sessions.renew(token);
  const claims = decodeJwt(renewed.token);
  assert.equal(claims.sid, session.sid);
  assert.equal(claims.gen, 2);
  it.clock.now += lifeMs - minute;
  const { session: after } = await it.sessions.authenticate(renewed.token);
  assert.equal(after.created, session.created);
  it.clock.now += minute;
  await refused(it, renewed.token);
});

Deno.test("renew() tells of the user as it is now", async () => {
  using it = await openIdentity();
  const anna = await it.add("anna");
  const { token } = await it.sessions.open(anna, client);
  await it.users.update(anna.id, { locale: "de" });
  const renewed = await it.sessions.renew(token);
  assert.equal((decodeJwt(renewed.token).user as { locale: string }).locale, "de");
  assert.equal((await it.sessions.authenticate(renewed.token)).stale, false);
});

Deno.test("the former token goes on for 30 seconds and asks to be renewed", async () => {
  using it = await openIdentity();
  const { token } = await it.sessions.open(await it.add("anna"), client);
  await it.sessions.renew(token);
  it.clock.now += 29_999;
  assert.equal((await it.sessions.authenticate(token)).stale, true);
});

Deno.test("using a former token after its 30 seconds ends the whole session", async () => {
  using it = await openIdentity();
  const { token } = await it.sessions.open(await it.add("anna"), client);
  const renewed = await it.sessions.renew(token);
  it.clock.now += 30_000;
  await it.sessions.authenticate(renewed.token);
  await refused(it, token);
  await refused(it, renewed.token);
  assert.deepEqual(await it.store.list(sessionRecords.prefix(1)), []);
});

Deno.test("renewing a former token after its 30 seconds ends the whole session", async () => {
  using it = await openIdentity();
  const { token } = await it.sessions.open(await it.add("anna"), client);
  const renewed = await it.sessions.renew(token);
  it.clock.now += 30_000;
  await assert.rejects(it.sessions.renew(token), { code: "not_signed_in" });
  await refused(it, renewed.token);
});

Deno.test("each generation has its own 30 seconds", async () => {
  using it = await openIdentity();
  const { token: first } = await it.sessions.open(await it.add("anna"), client);
  const { token: second } = await it.sessions.renew(first);
  it.clock.now += 20_000;
  const { token: third } = await it.sessions.renew(second);
  await it.sessions.authenticate(first);
  it.clock.now += 15_000;
  await it.sessions.authenticate(second);
  await it.sessions.authenticate(third);
  await refused(it, first, "35 seconds old");
  await refused(it, third, "and with it the session");
});

Deno.test("tabs that renew at once all get a token that goes on working", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  using one = await openIdentity(path);
  using two = await openIdentity(path);
  const { token } = await one.sessions.open(await one.add("anna"), client);
  const tabs = await Promise.all(
    [one, two, one, two, one, two].map((it) => it.sessions.renew(token)),
  );
  for (const tab of tabs) assert.equal(decodeJwt(tab.token).gen, 2);
  one.clock.now += minute;
  for (const tab of tabs) await one.sessions.authenticate(tab.token);
});

Deno.test("renew() does not revive a session that ends meanwhile", async () => {
  using it = await openIdentity();
  const { token, session } = await it.sessions.open(await it.add("anna"), client);
  beforeCommit(it, () => it.sessions.end(1, session.sid));
  await assert.rejects(it.sessions.renew(token), { code: "not_signed_in" });
  assert.deepEqual(await it.store.list(sessionRecords.prefix(1)), []);
});
