import assert from "node:assert/strict";
import { SecondFactors } from "../../../../../lib/server/features/accounts/auth/factors/factors.ts";
import {
  storedFactors,
  toFactors,
} from "../../../../../lib/server/features/accounts/auth/factors/factors_record.ts";
import { Passkeys } from "../../../../../lib/server/features/accounts/auth/passkeys/passkeys.ts";
import {
  checkParty,
  relyingParty,
} from "../../../../../lib/server/features/accounts/auth/passkeys/relying_party.ts";
import { SoftAuthenticator } from "../../../../support/clients/authenticator.ts";
import { client, type Identity, openIdentity } from "../users/identity.ts";

const party = { id: "cubby.test", origin: "https://cubby.test" };

function openPasskeys({ store, users, attempts, sessions, key, clock }: Identity) {
  const now = () => clock.now;
  const factors = new SecondFactors(store, key, now);
  const passkeys = new Passkeys({ store, key, users, factors, attempts, sessions, now });
  return { factors, passkeys };
}

/** Sets up a passkey for a user who has none. */
async function enrol(identity: Identity, username: string, device: SoftAuthenticator) {
  const { factors, passkeys } = openPasskeys(identity);
  const user = await identity.add(username);
  const { session } = await identity.sessions.open(user, client);
  const options = await passkeys.beginCreation({ user, session }, party, "Den");
  const answer = device.create(options);
  const passkey = await passkeys.readCreated({ user, session }, party, answer, "phone");
  return { factors, passkeys, ...await factors.addPasskey(user, passkey) };
}

Deno.test("a question is open for ten minutes", async () => {
  using identity = await openIdentity();
  const device = new SoftAuthenticator(party.origin);
  const { passkeys, user } = await enrol(identity, "anna", device);
  const late = device.sign(await passkeys.ask(party));
  const inTime = device.sign(await passkeys.ask(party));
  identity.clock.now += 9 * 60_000;
  assert.ok(await passkeys.verify(user.id, party, inTime));
  identity.clock.now += 2 * 60_000;
  assert.ok(!await passkeys.verify(user.id, party, late));
});

Deno.test("a passkey is to be made within ten minutes", async () => {
  using identity = await openIdentity();
  const { passkeys } = openPasskeys(identity);
  const user = await identity.add("anna");
  const { session } = await identity.sessions.open(user, client);
  const signedIn = { user, session };
  const options = await passkeys.beginCreation(signedIn, party, "Den");
  identity.clock.now += 11 * 60_000;
  const answer = new SoftAuthenticator(party.origin).create(options);
  await assert.rejects(passkeys.readCreated(signedIn, party, answer, "phone"), {
    code: "not_found",
  });
});

Deno.test("that a question was answered is kept for as long as it could be answered", async () => {
  using identity = await openIdentity();
  const device = new SoftAuthenticator(party.origin, false);
  const { passkeys, user } = await enrol(identity, "anna", device);
  const kept = async () => (await identity.store.list(["passkey_challenges"])).length;
  const before = await kept();
  const answer = device.sign(await passkeys.ask(party));
  assert.equal(await kept(), before);
  assert.ok(await passkeys.verify(user.id, party, answer));
  // A clock that goes back by less than a token from the future may be off.
  for (const step of [-50_000, 50_000, 9 * 60_000]) {
    identity.clock.now += step;
    await passkeys.challenges.removeExpired();
    assert.equal(await kept(), before + 1, String(step));
    assert.ok(!await passkeys.verify(user.id, party, answer));
  }
  identity.clock.now += 2 * 60_000;
  await passkeys.challenges.removeExpired();
  assert.equal(await kept(), 0);
  assert.ok(!await passkeys.verify(user.id, party, answer));
});

Deno.test("of two first factors at the same time one is refused", async () => {
  using identity = await openIdentity();
  const { factors, passkeys } = openPasskeys(identity);
  const user = await identity.add("anna");
  const { session } = await identity.sessions.open(user, client);
  const options = await passkeys.beginCreation({ user, session }, party, "Den");
  const answer = new SoftAuthenticator(party.origin).create(options);
  const borrowed = await passkeys.readCreated({ user, session }, party, answer, "theirs");
  const { user: owner } = await factors.addTotp(user, { secret: "A".repeat(32), lastStep: 1 });
  await assert.rejects(factors.addPasskey(user, borrowed), { code: "not_signed_in" });
  await assert.rejects(factors.removeTotp(user), { code: "not_signed_in" });
  assert.deepEqual((await factors.of(owner)).passkeys, []);
});

Deno.test("a use is noted, and a passkey that does not count signs in again and again", async () => {
  using identity = await openIdentity();
  const device = new SoftAuthenticator(party.origin, false);
  const { factors, passkeys, user } = await enrol(identity, "anna", device);
  assert.equal((await factors.of(user)).passkeys[0]?.lastUsed, null);
  for (let time = 0; time < 2; time++) {
    identity.clock.now += 1_000;
    const answer = device.sign(await passkeys.ask(party));
    const opened = await passkeys.signIn(party, answer, client);
    assert.equal(opened.user.id, user.id);
    assert.equal((await factors.of(user)).passkeys[0]?.lastUsed, identity.clock.now);
  }
});

Deno.test("passkeys are in use once there was one", async () => {
  using identity = await openIdentity();
  const { passkeys } = openPasskeys(identity);
  assert.ok(!await passkeys.areInUse());
  await enrol(identity, "anna", new SoftAuthenticator(party.origin));
  assert.ok(await passkeys.areInUse());
});

Deno.test("a user has ten passkeys at most, of one handle", async () => {
  using identity = await openIdentity();
  const device = new SoftAuthenticator(party.origin);
  const { factors, passkeys, user } = await enrol(identity, "anna", device);
  const [first] = (await factors.of(user)).passkeys;
  assert.ok(first);
  const { session } = await identity.sessions.open(user, client);
  const options = await passkeys.beginCreation({ user, session }, party, "Den");
  assert.equal(options.user.id, first.handle);
  assert.deepEqual(options.excludeCredentials, [{ id: first.id, type: "public-key" }]);
  let asking = user;
  for (let more = 1; more < 10; more++) {
    asking = (await factors.addPasskey(asking, { ...first, id: `id${more}` })).user;
  }
  await assert.rejects(factors.addPasskey(asking, { ...first, id: "id10" }), {
    code: "invalid_option",
  });
  await assert.rejects(factors.addPasskey(asking, first), { code: "exists" });
});

Deno.test("a record of before there were passkeys is read", () => {
  const record = storedFactors({ totp: { secret: "A", lastStep: 1 }, recovery: ["x"] });
  assert.deepEqual(toFactors(record), { totp: true, passkeys: [], recoveryCodes: 1 });
});

Deno.test("a relying party is the host name, under the origin that browsers send", () => {
  const made = (https: boolean, host: string) => Object.values(relyingParty({ https, host }));
  assert.deepEqual(made(true, "files.example:443"), ["files.example", "https://files.example"]);
  assert.deepEqual(made(false, "localhost:8080"), ["localhost", "http://localhost:8080"]);
  assert.doesNotThrow(() => checkParty(relyingParty({ https: true, host: "files.example" })));
  for (const host of ["192.0.2.1", "[::1]:8080"]) {
    assert.throws(() => checkParty(relyingParty({ https: true, host })), {
      code: "invalid_option",
    });
  }
});
