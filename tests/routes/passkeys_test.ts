import assert from "node:assert/strict";
import { startApp, userPassword } from "../support/server/app.ts";
import { activitiesOf, keepActivity } from "../support/server/audited.ts";
import { SoftAuthenticator } from "../support/server/authenticator.ts";
import { enrol, signIn } from "../support/server/factors.ts";
import {
  addPasskey,
  askPasskey,
  behindProxy,
  enrolPasskey,
  passkeyOrigin,
  signInByPasskey,
} from "../support/server/passkeys.ts";
import { assertRefused, assertStatus } from "../support/server/refused.ts";

const server = await startApp({ config: { trustedProxies: ["127.0.0.1"] } });
Deno.test.afterAll(server.close);

let count = 0;
const name = () => `passkey user ${++count}`;

Deno.test("the first passkey brings recovery codes, the next none, and the app stays", async () => {
  const app = behindProxy(server);
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
    const app = behindProxy(server, origin);
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
  const app = behindProxy(server);
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

Deno.test("sign-ins by passkeys, wrong ones and new passkeys are in the activity log", async () => {
  const app = behindProxy(server);
  await keepActivity(server, "changes");
  try {
    const { authenticator, username } = await enrolPasskey(app, name());
    const wrong = authenticator.sign(await askPasskey(app), { unverified: true });
    await assertRefused(await signInByPasskey(app, wrong), 403, "wrong_credentials");
    const right = authenticator.sign(await askPasskey(app));
    await assertStatus(await signInByPasskey(app, right), 200);
    const wanted = ["user_change", "signin_failed", "signin"];
    const records = (await activitiesOf(server)).filter(({ user }) => user === username);
    const actions = new Set<string>(records.map(({ action }) => action));
    assert.deepEqual(wanted.filter((action) => !actions.has(action)), []);
  } finally {
    await keepActivity(server, "off");
  }
});
