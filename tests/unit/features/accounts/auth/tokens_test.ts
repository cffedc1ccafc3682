import assert from "node:assert/strict";
import { base64url, SignJWT } from "jose";
import { openStore } from "../../../../../lib/server/core/kv/store.ts";
import { openSigningKey } from "../../../../../lib/server/features/accounts/auth/signing_key.ts";
import { fc, runs } from "../../../../support/run/property.ts";
import { client, type Identity, openIdentity } from "../users/identity.ts";

const purpose = { path: "/photos/sea.jpg", use: "raw" } as const;

async function refused(it: Identity, token: string, what = token) {
  await assert.rejects(it.sessions.authenticate(token), { code: "not_signed_in" }, what);
  await assert.rejects(it.sessions.renew(token), { code: "not_signed_in" }, what);
}

async function openSession(it: Identity) {
  return await it.sessions.open(await it.add("anna"), client);
}

Deno.test("a text that is no token is refused", async () => {
  using it = await openIdentity();
  const { token } = await openSession(it);
  const [header = "", payload = "", signature = ""] = token.split(".");
  for (
    const text of [
      "",
      ".",
      "..",
      "...",
      "a.b.c",
      "null",
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${token}.`,
      `.${token}`,
      `${token}.${signature}`,
      `${header}..${payload}.${signature}`,
      `${header}.${payload}.${signature}.x.y`,
      "x".repeat(1_000_000),
      `${token}${"x".repeat(1_000_000)}`,
      ".".repeat(100_000),
    ]
  ) await refused(it, text, text.slice(0, 300));
});

Deno.test("a token spelled in another way is refused", async () => {
  using it = await openIdentity();
  const { token } = await openSession(it);
  const [header = "", payload = "", signature = ""] = token.split(".");
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(signature.at(-1) ?? "");
  for (const bits of [1, 2, 3]) {
    const twin = signature.slice(0, -1) + alphabet[last ^ bits];
    assert.deepEqual(base64url.decode(twin), base64url.decode(signature), "the same bytes");
    await refused(it, `${header}.${payload}.${twin}`, `left-over bits ${bits}`);
  }
  for (
    const text of [
      `${token}=`,
      `${token}==`,
      `${token} `,
      ` ${token}`,
      `${token}\n`,
      `${header}=.${payload}.${signature}`,
      `${header} .${payload}.${signature}`,
      `${header}.${payload}=.${signature}`,
      `${header}.${payload}.${signature.slice(0, 20)}\n${signature.slice(20)}`,
      `${header}.${payload}.${signature.slice(0, 20)} ${signature.slice(20)}`,
      `Bearer ${token}`,
    ]
  ) await refused(it, text);
  const padded = btoa(atob(signature.replaceAll("-", "+").replaceAll("_", "/") + "="));
  await refused(it, `${header}.${payload}.${padded}`, "standard base64");
});

Deno.test("no change of one character leaves a token valid", async () => {
  using it = await openIdentity();
  const { token } = await openSession(it);
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: token.length - 1 }),
      fc.constantFrom(..."ABCXYZabcxyz0189-_=.+/ \n"),
      async (index, character) => {
        fc.pre(token[index] !== character);
        await refused(it, token.slice(0, index) + character + token.slice(index + 1));
      },
    ),
    { numRuns: runs(300) },
  );
});

Deno.test("a token with another algorithm or header is refused", async () => {
  using it = await openIdentity();
  const { token } = await openSession(it);
  const [, payload = "", signature = ""] = token.split(".");
  const headers = [
    { alg: "none", typ: "JWT" },
    { alg: "None", typ: "JWT" },
    { alg: "HS512", typ: "JWT" },
    { alg: "RS256", typ: "JWT" },
    { alg: "HS256" },
    { alg: "HS256", typ: "jwt" },
    { typ: "JWT", alg: "HS256" },
    { alg: "HS256", typ: "JWT", kid: "../../dev/null" },
    { alg: "HS256", typ: "JWT", b64: false, crit: ["b64"] },
    {},
    [],
    null,
  ];
  for (const header of headers) {
    const text = base64url.encode(JSON.stringify(header));
    for (const end of [signature, ""]) {
      await refused(it, `${text}.${payload}.${end}`, JSON.stringify(header));
    }
  }
});

Deno.test("a token signed with our key under another header is refused", async () => {
  using it = await openIdentity();
  const { session } = await openSession(it);
  const bytes = (await it.store.get<Uint8Array>(["signing_key"])).value;
  assert.ok(bytes);
  const claims = { sid: session.sid, gen: 1, ver: 1, user: { id: 1 } };
  const sign = (header: { alg: string; typ?: string }, key: Uint8Array) =>
    new SignJWT(claims).setProtectedHeader(header).setIssuedAt().setExpirationTime("1h").sign(key);
  const twice = new Uint8Array([...bytes, ...bytes]);
  await refused(it, await sign({ alg: "HS512", typ: "JWT" }, twice), "HS512");
  await refused(it, await sign({ alg: "HS256" }, bytes), "no typ");
  await refused(it, await sign({ alg: "HS256", typ: "ticket+jwt" }, bytes), "a ticket's typ");
  await it.sessions.authenticate(await sign({ alg: "HS256", typ: "JWT" }, bytes));
});

Deno.test("a token that we signed without what a session needs is refused", async () => {
  using it = await openIdentity();
  const { session } = await openSession(it);
  const bytes = (await it.store.get<Uint8Array>(["signing_key"])).value;
  assert.ok(bytes);
  const whole = { sid: session.sid, gen: 1, user: { id: 1 } };
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(bytes);
  const exp = Math.floor(Date.now() / 1000) + 60;
  await refused(it, await sign(whole), "no exp");
  for (const lost of Object.keys(whole)) {
    await refused(it, await sign({ ...whole, exp, [lost]: undefined }), `no ${lost}`);
  }
  await refused(it, await sign({ ...whole, exp, gen: 2 }), "a generation to come");
  await refused(it, await sign({ ...whole, exp, sid: "other" }), "no such session");
  await it.sessions.authenticate(await sign({ ...whole, exp }));
});

Deno.test("a ticket is no session token, and a session token no ticket", async () => {
  using it = await openIdentity();
  const { token } = await openSession(it);
  const ticket = await it.sessions.ticket(await it.sessions.authenticate(token), purpose);
  await refused(it, ticket);
  await assert.rejects(it.sessions.redeemTicket(token, purpose), { code: "not_signed_in" });
});

Deno.test("a ticket is refused for another path and another use", async () => {
  using it = await openIdentity();
  const { token } = await openSession(it);
  const ticket = await it.sessions.ticket(await it.sessions.authenticate(token), purpose);
  for (
    const other of [
      { ...purpose, path: "/photos" },
      { ...purpose, path: "/photos/sea.jpg/" },
      { ...purpose, path: "/Photos/sea.jpg" },
      { ...purpose, use: "command" } as const,
    ]
  ) {
    const redeemed = it.sessions.redeemTicket(ticket, other);
    await assert.rejects(redeemed, { code: "not_signed_in" }, JSON.stringify(other));
  }
});

Deno.test("a ticket is refused after a minute", async () => {
  using it = await openIdentity();
  const { token } = await openSession(it);
  const ticket = await it.sessions.ticket(await it.sessions.authenticate(token), purpose);
  it.clock.now += 59_000;
  await it.sessions.redeemTicket(ticket, purpose);
  it.clock.now += 1_000;
  await assert.rejects(it.sessions.redeemTicket(ticket, purpose), { code: "not_signed_in" });
});

Deno.test("a ticket dies with its session", async () => {
  using it = await openIdentity();
  const { token, session } = await openSession(it);
  const ticket = await it.sessions.ticket(await it.sessions.authenticate(token), purpose);
  await it.sessions.end(1, session.sid);
  await assert.rejects(it.sessions.redeemTicket(ticket, purpose), { code: "not_signed_in" });
});

Deno.test("a ticket dies when its user's rights change", async () => {
  using it = await openIdentity();
  const { token } = await openSession(it);
  const ticket = await it.sessions.ticket(await it.sessions.authenticate(token), purpose);
  await it.users.update(1, { scope: "/elsewhere" });
  await assert.rejects(it.sessions.redeemTicket(ticket, purpose), { code: "not_signed_in" });
});

Deno.test("a ticket stands for its session, several times, also after a renewal", async () => {
  using it = await openIdentity();
  const { token, session } = await openSession(it);
  const ticket = await it.sessions.ticket(await it.sessions.authenticate(token), purpose);
  await it.sessions.renew(token);
  for (let range = 0; range < 3; range++) {
    const signedIn = await it.sessions.redeemTicket(ticket, purpose);
    assert.equal(signedIn.session.sid, session.sid);
    assert.equal(signedIn.user.username, "anna");
  }
});

Deno.test("the signing key is made once, has 256 bits and can't be taken out", async () => {
  const store = await openStore(":memory:");
  const keys = await Promise.all([1, 2, 3, 4].map(() => openSigningKey(store)));
  const message = new TextEncoder().encode("message");
  const signatures = await Promise.all(
    keys.map((key) => crypto.subtle.sign("HMAC", key, message)),
  );
  for (const signature of signatures) assert.deepEqual(signature, signatures[0]);
  for (const key of keys) {
    assert.equal((key.algorithm as HmacKeyAlgorithm).length, 256);
    assert.equal(key.extractable, false);
  }
  store.close();
});
