// With two threads, too: codes that count once, attempts that are counted.
import assert from "node:assert/strict";
import { startApp, userPassword } from "../../support/server/app.ts";
import {
  beginTotp,
  codeOf,
  elsewhere,
  enrol,
  signIn,
  wrongCode,
} from "../../support/clients/factors.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const server = await startApp({ config: { trustedProxies: ["127.0.0.1"] } });
Deno.test.afterAll(server.close);

let count = 0;
const name = () => `user ${++count}`;

Deno.test("the password alone signs nobody in who has a second factor", async () => {
  const app = elsewhere(server);
  const { username } = await enrol(app, name());
  await assertRefused(await signIn(app, username), 401, "second_factor_required");
  await assertRefused(await signIn(app, username, ""), 401, "second_factor_required");
});

Deno.test("nothing is told of a second factor before the password is right", async () => {
  const app = elsewhere(server);
  const { username, secret } = await enrol(app, name());
  const { user } = await app.addUser(name());
  const told = [];
  for (const [who, code] of [[username], [username, codeOf(secret, 1)], [user.username]] as const) {
    told.push(
      await assertRefused(await signIn(app, who, code, "a wrong one"), 403, "wrong_credentials"),
    );
  }
  assert.equal(new Set(told).size, 1);
  await assertStatus(await signIn(app, username, codeOf(secret, 1)), 200);
});

Deno.test("a code that was used is worth nothing, at the sign-in and elsewhere", async () => {
  const app = elsewhere(server);
  const { username, secret, token } = await enrol(app, name());
  const code = codeOf(secret, 1);
  await assertStatus(await signIn(app, username, code), 200);
  await assertRefused(await signIn(app, username, code), 403, "wrong_credentials");
  await assertRefused(await signIn(app, username, codeOf(secret)), 403, "wrong_credentials");
  const json = { current_password: userPassword, code };
  await assertRefused(
    await app.call("DELETE", "/api/factors/totp", { token, json }),
    403,
    "wrong_credentials",
  );
});

Deno.test("of many requests with one code at the same time one signs in", async () => {
  const app = elsewhere(server);
  const { username, secret, recoveryCodes } = await enrol(app, name());
  for (const code of [codeOf(secret, 1), recoveryCodes[0]]) {
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn(app, username, code)));
    const statuses = await Promise.all(answers.map(async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    }));
    assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses));
  }
});

Deno.test("a recovery code burns on use, however it is written", async () => {
  const app = elsewhere(server);
  const { username, recoveryCodes: [first = "", second = ""] } = await enrol(app, name());
  await assertStatus(await signIn(app, username, first.toUpperCase().replaceAll("-", " ")), 200);
  await assertRefused(await signIn(app, username, first), 403, "wrong_credentials");
  await assertStatus(await signIn(app, username, second.replaceAll("-", "")), 200);
});

Deno.test("codes that are guessed close the account as passwords do", async () => {
  const app = elsewhere(server);
  const { username, secret } = await enrol(app, name());
  const from = { json: { username, password: userPassword, code: wrongCode(secret) } };
  for (let guess = 0; guess < 5; guess++) {
    // The right password alone must not wipe the failures out.
    await assertRefused(await signIn(app, username), 401, "second_factor_required");
    await assertRefused(await app.call("POST", "/api/login", from), 403, "wrong_credentials");
  }
  await assertRefused(await signIn(app, username, codeOf(secret, 1)), 429, "throttled");
});

Deno.test("a borrowed session neither adds, removes nor renews factors", async () => {
  const app = elsewhere(server);
  const { token, secret, recoveryCodes: [code] } = await enrol(app, name());
  for (
    const [method, path] of [
      ["DELETE", "/api/factors/totp"],
      ["POST", "/api/factors/recovery"],
    ] as const
  ) {
    for (
      const json of [
        {},
        { current_password: userPassword },
        { code },
        { current_password: userPassword, code: "" },
      ]
    ) {
      const answer = await app.call(method, path, { token, json });
      await assertRefused(answer, 403, "wrong_credentials", `${method} ${path}`);
    }
  }
  // Each guess counts: two of the five that an account has.
  for (
    const json of [
      { current_password: "a wrong one", code },
      { current_password: userPassword, code: wrongCode(secret) },
    ]
  ) {
    const answer = await app.call("DELETE", "/api/factors/totp", { token, json });
    await assertRefused(answer, 403, "wrong_credentials");
  }
  const newcomer = await app.addUser(name());
  const { setup, secret: other } = await beginTotp(app, newcomer.token);
  for (const json of [{}, { current_password: "a wrong one" }]) {
    const answer = await app.call("PUT", "/api/factors/totp", {
      token: newcomer.token,
      json: { setup, app_code: codeOf(other), ...json },
    });
    await assertRefused(answer, 403, "wrong_credentials");
  }
  await assertStatus(await signIn(app, newcomer.user.username), 200);
});

Deno.test("the set-up of another user, and a forged one, set nothing up", async () => {
  const app = elsewhere(server);
  const [anna, bob] = [await app.addUser(name()), await app.addUser(name())];
  const { setup, secret } = await beginTotp(app, anna.token);
  const forged = setup.replace(/\.[^.]*$/, ".AAAA");
  for (
    const [token, sent] of [[bob.token, setup], [anna.token, forged], [anna.token, anna.token]]
  ) {
    const json = { setup: sent, app_code: codeOf(secret), current_password: userPassword };
    const answer = await app.call("PUT", "/api/factors/totp", { token, json });
    await assertRefused(answer, 404, "not_found");
  }
});

Deno.test("a set-up opens no session", async () => {
  const app = elsewhere(server);
  const { token } = await app.addUser(name());
  const { setup } = await beginTotp(app, token);
  await assertRefused(
    await app.call("GET", "/api/sessions", { token: setup }),
    401,
    "not_signed_in",
  );
});

Deno.test("setting up and removing a factor ends the sessions that were open", async () => {
  const app = elsewhere(server);
  const username = name();
  const { token: former } = await app.addUser(username);
  const { setup, secret } = await beginTotp(app, former);
  const json = { setup, app_code: codeOf(secret), current_password: userPassword };
  const answer = await app.call("PUT", "/api/factors/totp", { token: former, json });
  const { token, recoveryCodes } = await answer.json();
  await assertRefused(
    await app.call("GET", "/api/factors", { token: former }),
    401,
    "not_signed_in",
  );
  const removal = { current_password: userPassword, code: recoveryCodes[0] };
  const removed = await app.call("DELETE", "/api/factors/totp", { token, json: removal });
  assert.equal(removed.status, 200);
  await assertRefused(await app.call("GET", "/api/factors", { token }), 401, "not_signed_in");
  await assertStatus(await app.call("GET", "/api/factors", { token: await removed.text() }), 200);
  await assertStatus(await signIn(app, username), 200);
});

Deno.test("a user neither reads nor resets the factors of another", async () => {
  const app = elsewhere(server);
  const { token } = await app.addUser(name());
  const victim = await enrol(app, name());
  const id = (await server.cubby.users.byName(victim.username))?.id;
  const path = `/api/users/${id}/factors`;
  await assertRefused(await app.call("GET", path, { token }), 403, "forbidden");
  const json = { current_password: userPassword };
  await assertRefused(await app.call("DELETE", path, { token, json }), 403, "forbidden");
  await assertRefused(await signIn(app, victim.username), 401, "second_factor_required");
});

Deno.test("an administrator resets others with the password, and never themselves", async () => {
  const app = elsewhere(server);
  const admin = await server.tokenOf("admin");
  const { username, token } = await enrol(app, name());
  const path = `/api/users/${(await server.cubby.users.byName(username))?.id}/factors`;
  await assertRefused(
    await app.call("DELETE", path, { token: admin }),
    403,
    "wrong_credentials",
  );
  const json = { current_password: server.admin.password };
  await assertRefused(
    await app.call("DELETE", "/api/users/1/factors", { token: admin, json }),
    403,
    "forbidden",
  );
  await assertStatus(await app.call("DELETE", path, { token: admin, json }), 200);
  await assertRefused(await app.call("GET", "/api/sessions", { token }), 401, "not_signed_in");
  await assertStatus(await signIn(app, username), 200);
});

Deno.test("secrets of factors are in no answer about users, and in no line of the log", async () => {
  const app = elsewhere(server);
  const admin = await server.tokenOf("admin");
  const { username, token, secret, recoveryCodes } = await enrol(app, name());
  await assertStatus(await signIn(app, username, recoveryCodes[1]), 200);
  const id = (await server.cubby.users.byName(username))?.id;
  const record = await server.cubby.store.get<{ recovery: string[] }>(["factors", id ?? 0]);
  const secrets = [secret, ...recoveryCodes, ...record.value?.recovery ?? []];
  assert.ok(secrets.length > 15);
  const seen = [server.log.lines.join("\n"), JSON.stringify(server.log.requests)];
  for (
    const [path, as] of [
      ["/api/users", admin],
      [`/api/users/${id}`, admin],
      [`/api/users/${id}`, token],
      [`/api/users/${id}/factors`, admin],
      ["/api/factors", token],
      ["/api/settings", admin],
      ["/settings/profile", token],
      [`/settings/users/${id}`, admin],
    ] as const
  ) {
    const answer = await app.call("GET", path, { token: as });
    assert.equal(answer.status, 200, path);
    seen.push(await answer.text());
  }
  for (const text of seen) {
    for (const each of secrets) assert.ok(!text.includes(each), text.slice(0, 200));
  }
});
