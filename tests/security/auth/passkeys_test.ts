// With two threads, too: questions that are answered once, attempts that are counted.
import assert from "node:assert/strict";
import { userPassword } from "../../support/server/app.ts";
import { SoftAuthenticator } from "../../support/clients/authenticator.ts";
import { signIn } from "../../support/clients/factors.ts";
import {
  askPasskey,
  beginPasskey,
  enrolPasskey,
  signInByPasskey,
  startPasskeyApp,
} from "../../support/clients/passkeys.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const { server, behindProxy, name, passkeyOrigin } = await startPasskeyApp();

Deno.test("an answer of a passkey that was sent before signs nobody in", async () => {
  const app = behindProxy();
  const { authenticator } = await enrolPasskey(app, name());
  const answer = authenticator.sign(await askPasskey(app));
  await assertStatus(await signInByPasskey(app, answer), 200);
  await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials");
});

Deno.test("of many requests with one answer at the same time one signs in", async () => {
  const app = behindProxy();
  // One that does not count: only the question tells that the answer was used.
  const { authenticator } = await enrolPasskey(app, name(), false);
  const answer = authenticator.sign(await askPasskey(app));
  const answers = await Promise.all([1, 2, 3, 4].map(() => signInByPasskey(app, answer)));
  const statuses = await Promise.all(answers.map(async (each) => {
    await each.body?.cancel();
    return each.status;
  }));
  assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses));
});

Deno.test("a question of one's own is none", async () => {
  const app = behindProxy();
  const { authenticator } = await enrolPasskey(app, name());
  const question = await askPasskey(app);
  const challenge = question.challenge.replace(/.{10}$/, "AAAAAAAAAA");
  const own = authenticator.sign(question, { challenge });
  await assertRefused(await signInByPasskey(app, own), 403, "wrong_credentials");
});

Deno.test("what a page of another origin had signed is refused", async () => {
  const app = behindProxy();
  const { authenticator } = await enrolPasskey(app, name());
  for (
    const odd of [
      { origin: "https://evil.test" },
      { origin: "http://cubby.test" },
      { origin: "https://cubby.test:8443" },
      { origin: "https://www.cubby.test" },
      { crossOrigin: true },
    ]
  ) {
    const answer = authenticator.sign(await askPasskey(app), odd);
    const told = JSON.stringify(odd);
    await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials", told);
    if (odd.crossOrigin) continue;
    await assertStatus(await signInByPasskey(app, authenticator.sign(await askPasskey(app))), 200);
  }
});

Deno.test("what was signed for another relying party is refused", async () => {
  const app = behindProxy();
  const { authenticator } = await enrolPasskey(app, name());
  const answer = authenticator.sign(await askPasskey(app), { rpId: "evil.test" });
  await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials");
});

Deno.test("a passkey counts under no other name of the server", async () => {
  const app = behindProxy();
  const { authenticator } = await enrolPasskey(app, name());
  const other = behindProxy("https://evil.test");
  const odd = { origin: "https://evil.test", rpId: "evil.test" };
  const answer = authenticator.sign(await askPasskey(other), odd);
  await assertRefused(await signInByPasskey(other, answer), 403, "wrong_credentials");
  // A question is answered where it was asked.
  const carried = authenticator.sign(await askPasskey(other));
  await assertRefused(await signInByPasskey(app, carried), 403, "wrong_credentials");
});

Deno.test("a passkey under another user's handle signs in as neither", async () => {
  const app = behindProxy();
  const anna = await enrolPasskey(app, name());
  const bob = await enrolPasskey(app, name());
  const userHandle = anna.authenticator.held[0]?.userHandle ?? "";
  const answer = bob.authenticator.sign(await askPasskey(app), { userHandle });
  await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials");
  const stranger = new SoftAuthenticator(passkeyOrigin);
  stranger.create(await beginPasskey(app, (await app.addUser(name())).token));
  const forged = stranger.sign(await askPasskey(app), { userHandle });
  const id = anna.authenticator.held[0]?.id.toString("base64url") ?? "";
  const answers = [forged, { ...forged, id, rawId: id }];
  for (const each of answers) {
    await assertRefused(await signInByPasskey(app, each), 403, "wrong_credentials");
  }
});

Deno.test("another user's passkey is no second factor", async () => {
  const app = behindProxy();
  const anna = await enrolPasskey(app, name());
  const bob = await enrolPasskey(app, name());
  const login = (passkey: unknown) => {
    const json = { username: anna.username, password: userPassword, passkey };
    return app.call("POST", "/api/login", { json });
  };
  await assertRefused(await signIn(app, anna.username), 401, "second_factor_required");
  const other = bob.authenticator.sign(await askPasskey(app));
  await assertRefused(await login(other), 403, "wrong_credentials");
  const own = anna.authenticator.sign(await askPasskey(app));
  await assertStatus(await login(own), 200);
  await assertRefused(await login(own), 403, "wrong_credentials");
  await assertRefused(await login({ id: "abc" }), 400, "invalid_body");
});

Deno.test("an authenticator that has not verified its user is refused", async () => {
  const app = behindProxy();
  const { authenticator } = await enrolPasskey(app, name());
  const answer = authenticator.sign(await askPasskey(app), { unverified: true });
  await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials");
  const { token } = await app.addUser(name());
  const credential = new SoftAuthenticator(passkeyOrigin)
    .create(await beginPasskey(app, token), { unverified: true });
  const json = { name: "phone", credential };
  await assertRefused(
    await app.call("PUT", "/api/factors/passkeys", { token, json }),
    400,
    "invalid_option",
  );
});

Deno.test("a copy of an authenticator is found out by its counter", async () => {
  const app = behindProxy();
  const { authenticator } = await enrolPasskey(app, name());
  await assertStatus(
    await signInByPasskey(app, authenticator.sign(await askPasskey(app), { counter: 7 })),
    200,
  );
  for (const counter of [7, 6, 0]) {
    const answer = authenticator.sign(await askPasskey(app), { counter });
    const told = String(counter);
    await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials", told);
  }
  await assertStatus(
    await signInByPasskey(app, authenticator.sign(await askPasskey(app), { counter: 8 })),
    200,
  );
});

Deno.test("a removed passkey signs nobody in, and its sessions are over", async () => {
  const app = behindProxy();
  const { username, token, authenticator } = await enrolPasskey(app, name());
  const id = authenticator.held[0]?.id.toString("base64url");
  const passkey = authenticator.sign(await askPasskey(app));
  const json = { current_password: userPassword, passkey };
  const removed = await app.call("DELETE", `/api/factors/passkeys/${id}`, { token, json });
  const fresh = await removed.text();
  assert.equal(removed.status, 200, fresh);
  await assertRefused(await app.call("GET", "/api/sessions", { token }), 401, "not_signed_in");
  const answer = authenticator.sign(await askPasskey(app));
  await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials");
  const factors = await (await app.call("GET", "/api/factors", { token: fresh })).json();
  assert.deepEqual(factors, { totp: false, passkeys: [], recoveryCodes: 0 });
  await assertStatus(await signIn(app, username), 200);
});

Deno.test("a reset by the administrator, and the end of a user, end the passkeys", async () => {
  const app = behindProxy();
  const admin = await server.tokenOf("admin");
  const json = { current_password: server.admin.password };
  for (const path of ["/factors", ""]) {
    const { username, authenticator } = await enrolPasskey(app, name());
    const id = (await server.cubby.users.byName(username))?.id;
    const call = { token: admin, json };
    await assertStatus(await app.call("DELETE", `/api/users/${id}${path}`, call), 200);
    const answer = authenticator.sign(await askPasskey(app));
    await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials");
  }
});

Deno.test("a borrowed session neither adds nor removes a passkey", async () => {
  const app = behindProxy();
  const { token, authenticator, recoveryCodes: [code] } = await enrolPasskey(app, name());
  const id = authenticator.held[0]?.id.toString("base64url");
  for (
    const [method, path] of [
      ["POST", "/api/factors/passkeys"],
      ["DELETE", `/api/factors/passkeys/${id}`],
    ] as const
  ) {
    for (const json of [{}, { current_password: userPassword }, { code }]) {
      const answer = await app.call(method, path, { token, json });
      await assertRefused(answer, 403, "wrong_credentials", `${method} ${path}`);
    }
  }
  const json = { current_password: "a wrong one", code };
  await assertRefused(
    await app.call("POST", "/api/factors/passkeys", { token, json }),
    403,
    "wrong_credentials",
  );
  // The question of a sign-in adds nothing, nor does that of another session or user.
  const other = await app.addUser(name());
  const options = await beginPasskey(app, other.token);
  const created = authenticator.create({ ...options, ...await askPasskey(app) });
  const theirs = authenticator.create(await beginPasskey(app, other.token));
  const elsewhere = await server.tokenOf(other.user.username);
  for (
    const [as, credential] of [
      [token, created],
      [token, theirs],
      [elsewhere, authenticator.create(await beginPasskey(app, other.token))],
    ] as const
  ) {
    const call = { token: as, json: { name: "x", credential } };
    await assertRefused(await app.call("PUT", "/api/factors/passkeys", call), 404, "not_found");
  }
});

Deno.test("a question to make a passkey signs nobody in, and none is answered twice", async () => {
  const app = behindProxy();
  const { authenticator, token, recoveryCodes: [code] } = await enrolPasskey(app, name());
  const { challenge } = await beginPasskey(app, token, { code });
  const answer = authenticator.sign(await askPasskey(app), { challenge });
  await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials");
  const other = await app.addUser(name());
  const credential = new SoftAuthenticator(passkeyOrigin)
    .create(await beginPasskey(app, other.token));
  const call = { token: other.token, json: { name: "x", credential } };
  const added = await app.call("PUT", "/api/factors/passkeys", call);
  const fresh = await added.json();
  assert.equal(added.status, 200);
  await assertRefused(
    await app.call("PUT", "/api/factors/passkeys", { ...call, token: fresh.token }),
    404,
    "not_found",
  );
});

Deno.test("an attestation with certificates is refused before anything is fetched for it", async () => {
  const app = behindProxy();
  const { token } = await app.addUser(name());
  const made = new SoftAuthenticator(passkeyOrigin).create(await beginPasskey(app, token));
  const plain = Buffer.from(made.response.attestationObject, "base64url");
  // {"fmt": "packed", "attStmt": {"alg": -7, "sig": h'00', "x5c": [h'00']}, …}
  const attestation = Buffer.concat([
    Buffer.from(
      "a363666d74667061636b65646761747453746d74a363616c672663736967410063783563814100",
      "hex",
    ),
    plain.subarray(plain.indexOf("hauthData")),
  ]);
  const response = { ...made.response, attestationObject: attestation.toString("base64url") };
  const json = { name: "x", credential: { ...made, response } };
  const message = await assertRefused(
    await app.call("PUT", "/api/factors/passkeys", { token, json }),
    400,
    "invalid_option",
  );
  assert.match(message, /attestation/);
});

/** The public key of an RSA key as {1: 3 (RSA), 3: -257 (RS256), -1: n, -2: e}, of this many bytes. */
function rsaKeyOf(bytes: number): Buffer {
  const head = Buffer.from("a401030339010020590000", "hex");
  const tail = Buffer.from("2143010001", "hex");
  const modulus = Buffer.alloc(bytes - head.length - tail.length, 0xff);
  head.writeUInt16BE(modulus.length, head.length - 2);
  return Buffer.concat([head, modulus, tail]);
}

Deno.test("a passkey whose public key has more than 600 bytes is refused", async () => {
  const app = behindProxy();
  const { token } = await app.addUser(name());
  const add = async (publicKey: Buffer) => {
    const device = new SoftAuthenticator(passkeyOrigin);
    const credential = device.create(await beginPasskey(app, token), { publicKey });
    const json = { name: "phone", credential };
    return await app.call("PUT", "/api/factors/passkeys", { token, json });
  };
  const told = await assertRefused(await add(rsaKeyOf(601)), 400, "invalid_option");
  assert.match(told, /its key is too long/);
  await assertStatus(await add(rsaKeyOf(600)), 200);
});

Deno.test("wrong answers close an account as wrong passwords do", async () => {
  const app = behindProxy();
  const { authenticator, username } = await enrolPasskey(app, name());
  for (let guess = 0; guess < 5; guess++) {
    const answer = authenticator.sign(await askPasskey(app), { unverified: true });
    await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials");
  }
  const right = authenticator.sign(await askPasskey(app));
  await assertRefused(await signInByPasskey(app, right), 429, "throttled");
  await assertRefused(await signIn(app, username), 429, "throttled");
});

Deno.test("strangers who ask again and again leave nothing in the store", async () => {
  const app = behindProxy();
  const kept = async () => (await server.cubby.store.list(["passkey_challenges"])).length;
  const before = await kept();
  for (let asked = 0; asked < 200; asked++) await askPasskey(app);
  assert.equal(await kept(), before);
  // Nor do answers of passkeys that are nobody's.
  const stranger = new SoftAuthenticator(passkeyOrigin);
  stranger.create(await beginPasskey(app, (await app.addUser(name())).token));
  const answer = stranger.sign(await askPasskey(app));
  await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials");
  assert.equal(await kept(), before);
});

Deno.test("no other token that the server has signed is a question", async () => {
  const app = behindProxy();
  const { authenticator, token } = await enrolPasskey(app, name());
  const json = { path: "/", use: "raw" };
  const ticket = await (await app.call("POST", "/api/ticket", { token, json })).text();
  for (const other of [token, ticket]) {
    const challenge = Buffer.from(other).toString("base64url");
    const answer = authenticator.sign(await askPasskey(app), { challenge });
    await assertRefused(await signInByPasskey(app, answer), 403, "wrong_credentials");
  }
});

Deno.test("one question under two spellings is answered once", async () => {
  const app = behindProxy();
  const { authenticator } = await enrolPasskey(app, name(), false);
  const question = await askPasskey(app);
  // Else its last character had no bits left over, which decoders ignore.
  assert.notEqual(question.challenge.length % 4, 0);
  await assertStatus(await signInByPasskey(app, authenticator.sign(question)), 200);
  const last = question.challenge.at(-1) ?? "";
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const challenge = question.challenge.slice(0, -1) + letters[letters.indexOf(last) + 1];
  const again = authenticator.sign(question, { challenge });
  await assertRefused(await signInByPasskey(app, again), 403, "wrong_credentials");
});

Deno.test("a passkey is renamed by its user alone, and to no two lines", async () => {
  const app = behindProxy();
  const { token, authenticator } = await enrolPasskey(app, name());
  const path = `/api/factors/passkeys/${authenticator.held[0]?.id.toString("base64url")}`;
  const other = await app.addUser(name());
  const json = { name: "mine now" };
  await assertRefused(await app.call("PATCH", path, { json }), 401, "not_signed_in");
  await assertRefused(
    await app.call("PATCH", path, { token: other.token, json }),
    404,
    "not_found",
  );
  for (const odd of ["phone\nadmin signed in", "", "   ", "a".repeat(61), 7]) {
    const answer = await app.call("PATCH", path, { token, json: { name: odd } });
    await assertRefused(answer, 400, "invalid_body", String(odd));
  }
  const draft = { name: "script", write: true, share: true, current_password: userPassword };
  const made = await app.call("POST", "/api/tokens", { token: other.token, json: draft });
  const { token: secret } = await made.json();
  await assertRefused(await app.call("PATCH", path, { token: secret, json }), 403, "forbidden");
});

Deno.test("a question tells nothing of users and their passkeys", async () => {
  const app = behindProxy();
  const { authenticator } = await enrolPasskey(app, name());
  const question = await askPasskey(app);
  assert.equal(question.rpId, "cubby.test");
  assert.equal(question.userVerification, "required");
  const told = JSON.stringify(question);
  assert.ok(!told.includes(authenticator.held[0]?.id.toString("base64url") ?? ""));
  assert.ok(!("allowCredentials" in question), told);
});

Deno.test("keys of passkeys are in no answer and no line of the log", async () => {
  const app = behindProxy();
  const { token, username } = await enrolPasskey(app, name());
  const id = (await server.cubby.users.byName(username))?.id ?? 0;
  const { value } = await server.cubby.store.get<{ passkeys: { publicKey: string }[] }>([
    "factors",
    id,
  ]);
  const key = value?.passkeys[0]?.publicKey ?? "";
  assert.ok(key.length > 50);
  const seen = [server.log.lines.join("\n"), JSON.stringify(server.log.requests)];
  for (const path of ["/api/factors", "/settings/profile", `/api/users/${id}`]) {
    seen.push(await (await app.call("GET", path, { token })).text());
  }
  for (const text of seen) assert.ok(!text.includes(key));
});
