import assert from "node:assert/strict";
import { userPassword } from "../../support/server/app.ts";
import { activitiesOf, keepActivity } from "../../support/server/audited.ts";
import { SoftAuthenticator } from "../../support/clients/authenticator.ts";
import { enrol, signIn } from "../../support/clients/factors.ts";
import {
  addPasskey,
  askPasskey,
  enrolPasskey,
  signInByPasskey,
  startPasskeyApp,
} from "../../support/clients/passkeys.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const { server, behindProxy, name, passkeyOrigin } = await startPasskeyApp();

Deno.test("the first passkey brings recovery codes, the next none, and the app stays", async () => {
  const app = behindProxy();
  const { token, secret: _, recoveryCodes, username } = await enrol(app, name());
  const [first, second] = recoveryCodes;
  const authenticator = new SoftAuthenticator(passkeyOrigin);
  const added = await addPasskey(app, token, authenticator, { code: first });
  assert.deepEqual(added.recoveryCodes, []);
  const factors = await (await app.call("GET", "/api/factors", { token: added.token })).json();
  assert.equal(factors.totp, true);
  assert.equal(factors.recoveryCodes, 9);
  assert.deepEqual(Object.keys(factors.passkeys[0]).sort(), [
    "created",
    "host",
    "id",
    "lastUsed",
    "name",
  ]);
  await assertStatus(await signIn(app, username, second), 200);
  const alone = await enrolPasskey(app, name());
  assert.equal(alone.recoveryCodes.length, 10);
  await assertStatus(await signIn(app, alone.username, alone.recoveryCodes[0]), 200);
});

Deno.test("no passkey is made for an address, as no browser would", async () => {
  for (const origin of ["http://127.0.0.1:8080", "http://[::1]"]) {
    const app = behindProxy(origin);
    const { token } = await app.addUser(name());
    const json = { current_password: userPassword };
    await assertRefused(
      await app.call("POST", "/api/factors/passkeys", { token, json }),
      400,
      "invalid_option",
    );
  }
});

Deno.test("who must have a second factor may set up a passkey, and has it then", async () => {
  const app = behindProxy();
  const { token, user } = await app.addUser(name());
  const settings = await server.cubby.settings.get();
  await server.cubby.settings.update({ ...settings, requireSecondFactor: "everybody" });
  try {
    await assertRefused(
      await app.call("GET", "/api/sessions", { token }),
      403,
      "factor_setup_required",
    );
    const authenticator = new SoftAuthenticator(passkeyOrigin);
    const added = await addPasskey(app, token, authenticator);
    assert.equal(added.recoveryCodes.length, 10);
    await assertStatus(await app.call("GET", "/api/sessions", { token: added.token }), 200);
    const answer = authenticator.sign(await askPasskey(app));
    const entered = await signInByPasskey(app, answer);
    const own = await entered.text();
    await assertStatus(await app.call("GET", "/api/sessions", { token: own }), 200);
    await assertRefused(await signIn(app, user.username), 401, "second_factor_required");
  } finally {
    await server.cubby.settings.update(settings);
  }
});

Deno.test("a renamed passkey has its new name, signs in, and its sessions go on", async () => {
  const app = behindProxy();
  const { token, authenticator } = await enrolPasskey(app, name());
  const path = `/api/factors/passkeys/${authenticator.held[0]?.id.toString("base64url")}`;
  const renamed = await app.call("PATCH", path, { token, json: { name: " Key ring / blue " } });
  assert.equal((await renamed.json()).name, "Key ring / blue");
  const factors = await (await app.call("GET", "/api/factors", { token })).json();
  assert.equal(factors.passkeys[0].name, "Key ring / blue");
  assert.equal(factors.recoveryCodes, 10);
  const answer = authenticator.sign(await askPasskey(app));
  await assertStatus(await signInByPasskey(app, answer), 200);
});

Deno.test("after the password a user is told of the factors that count here", async () => {
  const app = behindProxy();
  const told = async (calling: typeof app, username: string) => {
    const answer = await signIn(calling, username);
    assert.equal(answer.status, 401);
    return (await answer.json()).factors;
  };
  const byApp = await enrol(app, name());
  assert.deepEqual(await told(app, byApp.username), ["totp", "recovery"]);
  const byKey = await enrolPasskey(app, name());
  assert.deepEqual(await told(app, byKey.username), ["passkey", "recovery"]);
  const elsewhere = behindProxy("https://other.test");
  assert.deepEqual(await told(elsewhere, byKey.username), ["recovery"]);
  const wrong = await signIn(app, byKey.username, undefined, "not the right one");
  assert.equal(wrong.status, 403);
  assert.ok(!("factors" in await wrong.json()));
});

Deno.test("what is done with second factors has its own kinds in the activity log", async () => {
  const app = behindProxy();
  await keepActivity(server, "changes");
  try {
    const { token, authenticator, username, recoveryCodes } = await enrolPasskey(app, name());
    const [first, second] = recoveryCodes;
    const path = `/api/factors/passkeys/${authenticator.held[0]?.id.toString("base64url")}`;
    await assertStatus(await app.call("PATCH", path, { token, json: { name: "blue" } }), 200);
    const proof = { current_password: userPassword, code: first };
    const renewed = await app.call("POST", "/api/factors/recovery", { token, json: proof });
    const [fresh] = (await renewed.json()).recoveryCodes;
    const burnt = { current_password: userPassword, code: second };
    await assertRefused(
      await app.call("POST", "/api/factors/recovery", { token, json: burnt }),
      403,
      "wrong_credentials",
    );
    const json = { current_password: userPassword, code: fresh };
    await assertStatus(await app.call("DELETE", path, { token, json }), 200);
    const done = (await activitiesOf(server))
      .filter(({ user, action }) => user === username && /^factor|^recovery|^user/.test(action))
      .map(({ action, subject }) => `${action} ${subject}`);
    assert.deepEqual(done.sort(), [
      "factor_add phone",
      "factor_remove blue",
      "factor_rename blue",
      "recovery_renew null",
    ]);
  } finally {
    await keepActivity(server, "off");
  }
});

Deno.test("sign-ins by passkeys and wrong ones are in the activity log", async () => {
  const app = behindProxy();
  await keepActivity(server, "changes");
  try {
    const { authenticator, username } = await enrolPasskey(app, name());
    const wrong = authenticator.sign(await askPasskey(app), { unverified: true });
    await assertRefused(await signInByPasskey(app, wrong), 403, "wrong_credentials");
    const right = authenticator.sign(await askPasskey(app));
    await assertStatus(await signInByPasskey(app, right), 200);
    const wanted = ["signin_failed", "signin"];
    const records = (await activitiesOf(server)).filter(({ user }) => user === username);
    const actions = new Set<string>(records.map(({ action }) => action));
    assert.deepEqual(wanted.filter((action) => !actions.has(action)), []);
  } finally {
    await keepActivity(server, "off");
  }
});
