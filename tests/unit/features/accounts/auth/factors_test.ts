import assert from "node:assert/strict";
import { SecondFactors } from "../../../../../lib/server/features/accounts/auth/factors/factors.ts";
import { toFactors } from "../../../../../lib/server/features/accounts/auth/factors/factors_record.ts";
import {
  digestOf,
  makeRecoveryCodes,
  readRecoveryCode,
} from "../../../../../lib/server/features/accounts/auth/factors/recovery_codes.ts";
import {
  stepOfCode,
  totpAddress,
} from "../../../../../lib/server/features/accounts/auth/factors/totp.ts";
import { codeOf } from "../../../../support/clients/factors.ts";
import { type Identity, openIdentity } from "../users/identity.ts";

/** Sets up an authenticator app for a new user. */
async function enrol({ store, key, clock, add }: Identity) {
  const user = await add("anna");
  const factors = new SecondFactors(store, key, () => clock.now);
  const { setup, secret } = await factors.beginTotp(user, "Den");
  const steps = (clock.now - Date.now()) / 30_000;
  const totp = await factors.readTotp(user, setup, codeOf(secret, steps));
  const changed = await factors.addTotp(user, totp);
  return { factors, secret, ...changed };
}

Deno.test("codes are those of RFC 6238, with a step of tolerance on each side", async () => {
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const at = 1_111_111_109_000;
  const step = Math.floor(at / 30_000);
  assert.equal(await stepOfCode(secret, "081804", at), step);
  assert.equal(await stepOfCode(secret, "081804", at + 30_000), step);
  assert.equal(await stepOfCode(secret, "081804", at - 30_000), step);
  assert.equal(await stepOfCode(secret, "081804", at + 60_000), null);
  for (const wrong of ["", "81804", "0818040", "a81804", "０８１８０４"]) {
    assert.equal(await stepOfCode(secret, wrong, at), null, wrong);
  }
});

Deno.test("the address of a secret takes any name, and stays short enough for a camera", async () => {
  const username = '"#%?日本 `.txt'.repeat(20);
  const uri = await totpAddress({ secret: "GEZDGNBV", issuer: "a: b?&", username });
  assert.ok(uri.length < 1_000, String(uri.length));
  const { searchParams } = new URL(uri);
  assert.equal(searchParams.get("secret"), "GEZDGNBV");
  assert.equal(searchParams.get("issuer"), "a: b?&");
});

Deno.test("a set-up ends after a quarter of an hour", async () => {
  using identity = await openIdentity();
  const user = await identity.add("anna");
  const factors = new SecondFactors(identity.store, identity.key, () => identity.clock.now);
  const { setup, secret } = await factors.beginTotp(user, "Den");
  identity.clock.now += 16 * 60_000;
  await assert.rejects(factors.readTotp(user, setup, codeOf(secret, 32)), { code: "not_found" });
});

Deno.test("once the clock was set back, codes count again", async () => {
  using identity = await openIdentity();
  identity.clock.now += 24 * 60 * 60_000;
  const { factors, secret, user } = await enrol(identity);
  identity.clock.now -= 24 * 60 * 60_000;
  assert.ok(await factors.verify(user.id, codeOf(secret)));
  assert.ok(!await factors.verify(user.id, codeOf(secret)));
});

Deno.test("recovery codes are ten, all different, and stored as digests alone", async () => {
  using identity = await openIdentity();
  const { factors, user, recoveryCodes } = await enrol(identity);
  assert.equal(new Set(recoveryCodes).size, 10);
  for (const code of recoveryCodes ?? []) assert.match(code, /^(?:[0-9a-hjkmnp-tv-z]{4}-?){4}$/);
  const record = await factors.of(user);
  const [first = ""] = recoveryCodes ?? [];
  assert.equal(record.recovery[0], digestOf(user.id, first.replaceAll("-", "")));
  assert.deepEqual(toFactors(record), { totp: true, passkeys: [], recoveryCodes: 10 });
  const anew = await factors.renewRecovery(user.id);
  assert.ok(!await factors.verify(user.id, first));
  assert.ok(await factors.verify(user.id, anew[0] ?? ""));
});

Deno.test("a recovery code is read however it is written", () => {
  const [code = ""] = makeRecoveryCodes();
  const plain = code.replaceAll("-", "");
  for (const typed of [code, plain, code.toUpperCase(), ` ${code.replaceAll("-", " ")} `]) {
    assert.equal(readRecoveryCode(typed), plain);
  }
  assert.equal(readRecoveryCode("OIL0-0000-0000-0000"), "0110000000000000");
  for (const none of ["", "123456", `${plain}0`, "uuuu-0000-0000-0000"]) {
    assert.equal(readRecoveryCode(none), null, none);
  }
});

Deno.test("the factors of a user go with the user", async () => {
  using identity = await openIdentity();
  const { user } = await enrol(identity);
  await identity.add("bert", { perm: { ...user.perm, admin: true } });
  await identity.users.remove(user.id);
  assert.equal((await identity.store.get(["factors", user.id])).value, null);
});
