import assert from "node:assert/strict";
import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import type { OidcProvider } from "../../../lib/server/core/config/oidc_options.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { TestBrowser } from "../../support/clients/browser_cookies.ts";
import { startForgingProvider } from "../../support/services/forging_provider.ts";
import { startProvider } from "../../support/services/oidc_provider.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { signIns } from "../../../lib/server/features/accounts/auth/oidc/pending_sign_ins.ts";

const forger = await startForgingProvider();
Deno.test.afterAll(forger.close);
Deno.test.beforeEach(() => {
  Object.assign(forger, { claims: {}, description: {}, info: { sub: "a1" } });
  forger.forge = forger.instead = undefined;
  forger.exchanged.length = 0;
});

function opened(more: Partial<OidcProvider> = {}, config = forger.config): Promise<TestApp> {
  return startApp({ inProcess: true, config: { oidc: { ...config, ...more } } });
}

/** Begins in a browser; returns the address that the provider sends it back to. */
async function begin(browser: TestBrowser, from = "/login/oidc"): Promise<string> {
  const answer = await browser.visit(from);
  await answer.body?.cancel();
  return forger.wayBack(answer.headers.get("location") ?? "");
}

/** Comes back; the reason of the refusal, or null after a sign-in. */
async function end(browser: TestBrowser, back: string, from?: string): Promise<string | null> {
  const answer = await browser.visit(back, from === undefined ? {} : { from });
  await answer.body?.cancel();
  assert.equal(answer.status, 302);
  const isIn = answer.headers.getSetCookie().some((cookie) => cookie.startsWith("auth="));
  const refused = new URL(answer.headers.get("location") ?? "", "http://cubby.test").searchParams
    .get("refused");
  assert.equal(isIn, refused === null, "a session only with a sign-in");
  return refused;
}

async function attempt(app: TestApp): Promise<string | null> {
  const browser = new TestBrowser(app);
  return await end(browser, await begin(browser));
}

Deno.test("OIDC state: forged, missing, or malformed", async () => {
  await using app = await opened();
  const browser = new TestBrowser(app);
  const back = new URL(await begin(browser));
  const state = back.searchParams.get("state") ?? "";
  const others = [
    "",
    "x",
    state.slice(0, -1),
    `${state}A`,
    state.toUpperCase(),
    "../../../a",
    "%00",
  ];
  for (const [index, other] of others.entries()) {
    const forged = new URL(back);
    forged.searchParams.set("state", other);
    assert.equal(await end(browser, forged.href, `192.0.2.${index}`), "expired", other);
  }
  const twice = new URL(back);
  twice.searchParams.append("state", "another");
  assert.notEqual(await end(new TestBrowser(app), twice.href), null);
  assert.deepEqual(forger.exchanged, [], "no code was tried");
  assert.equal(await end(browser, back.href), null, "the right one still counts");
});

Deno.test("OIDC state: used twice, also at once", async () => {
  await using app = await opened();
  const browser = new TestBrowser(app);
  const back = await begin(browser);
  const cookies = browser.cookies.header(back);
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      app.call("GET", back.slice("http://cubby.test".length), { headers: cookies })
    ),
  );
  const entered = answers.filter(({ headers }) => headers.get("location")?.includes("entered=1"));
  assert.equal(entered.length, 1);
  assert.equal(forger.exchanged.length, 1);
  assert.equal(await end(browser, back), "expired");
});

Deno.test("OIDC state: of the attacker's sign-in, in the browser of a victim (login CSRF)", async () => {
  await using app = await opened();
  const attacker = new TestBrowser(app);
  const back = await begin(attacker);
  const victim = new TestBrowser(app);
  assert.equal(await end(victim, back), "expired");
  await begin(victim);
  assert.equal(await end(victim, back), "expired", "the victim's own sign-in is another");
  assert.deepEqual(forger.exchanged, []);
});

Deno.test("OIDC state: older than ten minutes, whose record is swept", async () => {
  await using app = await opened();
  const browser = new TestBrowser(app);
  const back = await begin(browser);
  await app.later(10 * 60_000 + 1, async () => {
    assert.equal(await end(browser, back), "expired");
    await begin(browser);
  });
  await begin(browser);
  await app.later(10 * 60_000 + 1, async () => {
    await app.cubby.oidc?.pending.removeExpired();
    assert.equal((await app.cubby.store.list(signIns.prefix())).length, 1);
  });
});

Deno.test("OIDC nonce: none, another, that of another sign-in", async () => {
  await using app = await opened();
  for (const nonce of [undefined, "", "another"]) {
    forger.claims = { nonce };
    assert.equal(await attempt(app), "failed", String(nonce));
  }
  const browser = new TestBrowser(app);
  forger.claims = {};
  const [one, other] = [new URL(await begin(browser)), new URL(await begin(browser))];
  one.searchParams.set("code", other.searchParams.get("code") ?? "");
  assert.equal(await end(browser, one.href), "failed");
});

Deno.test("OIDC issuer mix-up: in the answer, the ID token, the description", async () => {
  await using app = await opened();
  const other = "https://evil.example";
  const browser = new TestBrowser(app);
  const back = new URL(await begin(browser));
  back.searchParams.set("iss", other);
  assert.equal(await end(browser, back.href), "failed");
  assert.deepEqual(forger.exchanged, [], "the code goes nowhere");
  forger.claims = { iss: other };
  assert.equal(await attempt(app), "failed");

  forger.claims = {};
  forger.description = { authorization_response_iss_parameter_supported: true };
  await using strict = await opened();
  assert.equal(await attempt(strict), "failed", "the issuer is missing in the answer");
  forger.description = { issuer: other };
  await using mixed = await opened();
  const answer = await mixed.call("GET", "/login/oidc");
  assert.equal(answer.headers.get("location"), "/login?redirect=%2Ffiles%2F&refused=away");
});

Deno.test("OIDC ID token: for others, too old, of no or another key, of no subject", async () => {
  await using app = await opened();
  const now = Math.floor(Date.now() / 1000);
  const wrong = [
    { aud: "another" },
    { aud: ["cubby", "another"], azp: "another" },
    { exp: now - 3600 },
    { iat: undefined },
    { sub: undefined },
    { sub: 5 },
    { sub: "a".repeat(256) },
  ];
  for (const claims of wrong) {
    forger.claims = claims;
    assert.equal(await attempt(app), "failed", JSON.stringify(claims).slice(0, 80));
  }
  forger.claims = {};
  const { privateKey } = await generateKeyPair("RS256");
  const secret = new TextEncoder().encode("cubby".repeat(10));
  const forgeries: ((claims: Record<string, unknown>) => string | Promise<string>)[] = [
    (claims) => new UnsecuredJWT(claims).encode(),
    (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(privateKey),
    (claims) => new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(secret),
    () => "no token",
    () => "",
  ];
  for (const forge of forgeries) {
    forger.forge = forge;
    assert.equal(await attempt(app), "failed", String(forge));
  }
  assert.equal(await app.cubby.users.byName("anna"), null);
});

Deno.test("OIDC user info: of another subject, or without end", async () => {
  await using app = await opened({ usernameClaim: "nickname" });
  forger.info = { sub: "a2", nickname: "admin" };
  assert.equal(await attempt(app), "failed");
  forger.info = { sub: "a1", nickname: "a".repeat(2 ** 20) };
  assert.equal(await attempt(app), "away");
  forger.info = { sub: "a1", nickname: "nick" };
  assert.equal(await attempt(app), null);
  assert.ok(await app.cubby.users.byName("nick"));
});

Deno.test("OIDC: a provider that fails, or answers strangely, lets nobody in", async () => {
  await using app = await opened();
  const strange: [() => Response, string][] = [
    [() => new Response("", { status: 500 }), "away"],
    [() => Response.redirect("https://evil.example"), "failed"],
    [() => Response.json({ error: "invalid_grant" }, { status: 400 }), "failed"],
    [() => Response.json({ access_token: "open", token_type: "Bearer" }), "failed"],
    [() => Response.json([]), "failed"],
    [() => new Response("{", { headers: { "content-type": "application/json" } }), "failed"],
    [() => new Response("a".repeat(2 ** 20 + 1)), "away"],
  ];
  for (const [instead, reason] of strange) {
    forger.instead = instead;
    assert.equal(await attempt(app), reason, String(instead));
  }
});

Deno.test("OIDC unverified mail: neither links an account nor names a user", async () => {
  const mail = "admin@cubby.example";
  for (const usernameClaim of ["email", "preferred_username"]) {
    await using app = await opened({ usernameClaim, linkUsers: true });
    await app.addUser(mail);
    for (const email_verified of [undefined, null, false, "false", "TRUE", "", 1, ["true"]]) {
      forger.claims = { email: mail, preferred_username: mail.toUpperCase(), email_verified };
      if (usernameClaim === "preferred_username") forger.claims.preferred_username = mail;
      assert.equal(await attempt(app), "refused", `${usernameClaim} ${email_verified}`);
    }
    assert.equal((await app.cubby.users.byName(mail))?.identity, undefined);
    forger.claims.email_verified = true;
    assert.equal(await attempt(app), null);
    assert.equal((await app.cubby.users.byName(mail))?.identity?.subject, "a1");
  }
});

Deno.test("OIDC verified mail: a text says so as well, and a trusted provider need not say so", async () => {
  const mail = "anna@cubby.example";
  const entered = async (trustEmail: boolean, email_verified: unknown) => {
    await using app = await opened({ usernameClaim: "email", linkUsers: true, trustEmail });
    await app.addUser(mail);
    forger.claims = { email: mail, email_verified };
    return await attempt(app) === null;
  };
  assert.equal(await entered(false, "true"), true);
  for (const said of [undefined, null, true, "true"]) {
    assert.equal(await entered(true, said), true, `${said}`);
  }
  for (const said of [false, "false", "", 0, "no"]) {
    assert.equal(await entered(true, said), false, `trusts addresses, though not ${said}`);
  }
});

Deno.test("OIDC names: strange ones, and the administrator's, make and open no user", async () => {
  await using app = await opened();
  for (
    const name of ["admin", " admin ", "", " ", "a\nb", "\u202Eanna", "a".repeat(256), 5, null]
  ) {
    forger.claims = { preferred_username: name };
    assert.equal(await attempt(app), "refused", JSON.stringify(name).slice(0, 40));
  }
  assert.equal(await app.cubby.users.count(), 1);
});

Deno.test("OIDC open redirect: addresses of other sites are none to go on to", async () => {
  await using app = await opened();
  const elsewhere = [
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "https://evil.example/files/",
    "http://cubby.test.evil.example/",
    "javascript:alert(1)",
    "/login/oidc",
    "/login/oidc/logout",
    "/files/../login",
  ];
  for (const [index, redirect] of elsewhere.entries()) {
    const browser = new TestBrowser(app);
    const back = await begin(browser, `/login/oidc?${new URLSearchParams({ redirect })}`);
    const answer = await browser.visit(back, { from: `192.0.2.${index}` });
    assert.equal(answer.headers.get("location"), "/login?redirect=%2Ffiles%2F&entered=1", redirect);
    const forged = await app.call("GET", `/login?entered=1&${new URLSearchParams({ redirect })}`);
    assert.ok(!(await forged.text()).includes("evil"), redirect);
  }
});

Deno.test("a user who was removed cannot come back when automatic users are off", async () => {
  await using provider = await startProvider();
  provider.accounts.set("a1", { preferred_username: "anna" });
  provider.holder = "a1";
  const config = { ...provider.config, linkUsers: true };
  await using app = await opened({}, config);
  const { user } = await app.addUser("anna");
  assert.match(await new TestBrowser(app).follow("/login/oidc"), /entered=1/);
  await app.cubby.users.remove(user.id);
  assert.match(await new TestBrowser(app).follow("/login/oidc"), /refused=refused/);
  const { user: zoe } = await app.addUser("zoe");
  assert.match(await new TestBrowser(app).follow("/login/oidc"), /refused=refused/);
  assert.equal((await app.cubby.users.get(zoe.id)).identity, undefined);
});

Deno.test("OIDC answers that prove nothing are throttled by their address, like wrong passwords", async () => {
  await using app = await opened();
  const from = "192.0.2.1";
  for (let time = 0; time < 20; time++) {
    const back = "http://cubby.test/login/oidc/callback?code=c&state=";
    assert.equal(await end(new TestBrowser(app), back + time, from), "expired");
  }
  const browser = new TestBrowser(app);
  const back = await begin(browser);
  assert.equal(await end(browser, back, from), "throttled");
  const json = { ...app.admin };
  await assertStatus(await app.call("POST", "/api/login", { json, from }), 429);
  assert.equal(await end(browser, back), null, "others go on");
});

Deno.test("OIDC sign-ins that are begun without end fill no store", async () => {
  await using app = await opened();
  const begun = async (from: string) => {
    const answer = await app.call("GET", "/login/oidc", { from });
    await answer.body?.cancel();
    return answer.headers.get("location")?.startsWith("/login?") ? "refused" : "begun";
  };
  for (let time = 0; time < 100; time++) assert.equal(await begun("192.0.2.1"), "begun");
  assert.equal(await begun("192.0.2.1"), "refused");
  assert.equal(await begun("192.0.2.2"), "begun");
  await app.later(10 * 60_000 + 1, async () => assert.equal(await begun("192.0.2.1"), "begun"));
});
