import assert from "node:assert/strict";
import type { OidcProvider } from "../../../lib/server/core/config/oidc_options.ts";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import { davClient } from "../../support/clients/dav.ts";
import { TestBrowser } from "../../support/clients/browser_cookies.ts";
import { startProvider } from "../../support/services/oidc_provider.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const provider = await startProvider();
Deno.test.afterAll(provider.close);
Deno.test.beforeEach(() => {
  provider.accounts.clear();
  provider.asked.length = 0;
  account("a1", { preferred_username: "anna" });
});

function account(sub: string, claims: Record<string, unknown>): void {
  provider.accounts.set(sub, claims);
  provider.holder = sub;
}

function opened(more: Partial<OidcProvider> = {}, config: object = {}): Promise<TestApp> {
  return startApp({
    inProcess: true,
    config: { oidc: { ...provider.config, ...more }, ...config },
  });
}

/** Signs in with a new browser; returns where that ends, and the token that its page fetches. */
async function signIn(app: TestApp, from = "/login/oidc", browser = new TestBrowser(app)) {
  const end = new URL(await browser.follow(from));
  const cookies = browser.cookies.header("http://cubby.test/api/renew");
  const headers = { "x-auth": "cookie", "sec-fetch-site": "same-origin", ...cookies };
  const renewed = await app.call("POST", "/api/renew", { headers });
  const token = renewed.ok ? await renewed.text() : null;
  if (!renewed.ok) await renewed.body?.cancel();
  return { end, token, browser, refused: end.searchParams.get("refused") };
}

async function meOf(app: TestApp, token: string | null) {
  return (await app.cubby.sessions.authenticate(token ?? "")).user;
}

Deno.test("without a provider there is nothing of it", async () => {
  await using app = await startApp();
  for (
    const path of ["/login/oidc", "/login/oidc/callback?state=a.b&code=c", "/login/oidc/logout"]
  ) {
    await assertStatus(await app.call("GET", path), 404, path);
  }
  const page = await (await app.call("GET", "/login")).text();
  assert.ok(!page.includes('"Provider"') && !page.includes("login/oidc"));
});

Deno.test("an account without a user is refused unless users are made, or linked by name", async () => {
  await using app = await opened();
  assert.equal((await signIn(app)).refused, "refused");
  assert.match(app.log.lines.join("\n"), /Cannot sign in by this account: there is no user "anna"/);
  await app.addUser("anna");
  assert.equal((await signIn(app)).refused, "refused");
  assert.match(app.log.lines.join("\n"), /"anna" is a user here \("a1" of http:/);
  assert.equal((await app.cubby.users.byName("anna"))?.identity, undefined);
});

Deno.test("an account becomes a user with the defaults, and stays that user under another name", async () => {
  await using app = await opened({ createUsers: true });
  const { end, token, refused } = await signIn(app, "/login/oidc?redirect=/files/a%20b?x=1");
  assert.equal(refused, null);
  assert.equal(end.pathname + end.search, "/login?redirect=%2Ffiles%2Fa%2520b%3Fx%3D1&entered=1");
  const anna = await meOf(app, token);
  assert.deepEqual([anna.username, anna.perm.admin, anna.perm.execute], ["anna", false, false]);
  assert.equal(anna.lockPassword, true, "a password of her own would outlast the account");
  assert.equal(anna.scope, "/users/anna");

  account("a1", { preferred_username: "anna-maria" });
  assert.equal((await meOf(app, (await signIn(app)).token)).id, anna.id);
  account("a2", { preferred_username: "anna" });
  assert.equal((await signIn(app)).refused, "refused", "another account of the same name");
});

Deno.test("an account is linked to the user of its name where that is wanted, once", async () => {
  await using app = await opened({ linkUsers: true });
  const { user } = await app.addUser("anna");
  assert.equal((await meOf(app, (await signIn(app)).token)).id, user.id);
  account("a2", { preferred_username: "anna" });
  assert.equal((await signIn(app)).refused, "refused", "the user has an account by now");
  const login = { json: { username: "anna", password: userPassword } };
  await assertStatus(await app.call("POST", "/api/login", login), 200, "the password goes on");
});

Deno.test("the question has PKCE, a state and a nonce, and the cookie is for the way back alone", async () => {
  await using app = await opened();
  const answer = await new TestBrowser(app).visit("/login/oidc");
  const url = new URL(answer.headers.get("location") ?? "");
  const asked = Object.fromEntries(url.searchParams);
  assert.equal(asked.code_challenge_method, "S256");
  assert.match(asked.code_challenge ?? "", /^[\w-]{43}$/);
  assert.match(asked.nonce ?? "", /^[\w-]{43}$/);
  assert.match(asked.state ?? "", /^[\w-]{16}\.[\w-]{43}$/);
  assert.equal(asked.redirect_uri, "http://cubby.test/login/oidc/callback");
  const cookie = answer.headers.get("set-cookie") ?? "";
  assert.match(
    cookie,
    /^sign_in_[\w-]{8}=[\w-]{43}; Path=\/login\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
  assert.equal(answer.headers.get("cache-control"), "no-store");
});

Deno.test("behind a trusted proxy, below a base URL, the address to come back to is the public one", async () => {
  await using app = await opened({}, { baseUrl: "/base", trustedProxies: ["127.0.0.1"] });
  const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "files.example" };
  const answer = await app.call("GET", "/base/login/oidc", { headers });
  const url = new URL(answer.headers.get("location") ?? "");
  assert.equal(
    url.searchParams.get("redirect_uri"),
    "https://files.example/base/login/oidc/callback",
  );
  assert.match(answer.headers.get("set-cookie") ?? "", /; Path=\/base\/login\/oidc; .*; Secure$/);
});

Deno.test("groups decide at each sign-in what a user may do, and whether it may sign in", async () => {
  const groups = [
    { group: "staff", may: ["download", "share"] as const },
    { group: "editors", may: ["modify"] as const },
    { group: "house", may: "default" as const },
    { group: "chiefs", may: ["admin"] as const },
  ];
  await using app = await opened({ createUsers: true, groups });
  const rightsOf = async (names: unknown) => {
    account("a1", { preferred_username: "anna", groups: names });
    const { token, refused } = await signIn(app);
    if (token === null) return refused;
    const { perm } = await meOf(app, token);
    return Object.entries(perm).filter(([, may]) => may).map(([name]) => name).join();
  };
  for (const none of [undefined, [], ["strangers"], "strangers", [5, null], { staff: true }]) {
    assert.equal(await rightsOf(none), "refused", JSON.stringify(none));
  }
  assert.equal(await app.cubby.users.byName("anna"), null);
  assert.equal(await rightsOf("staff"), "download,share");
  assert.equal(await rightsOf(["staff", "editors", "others"]), "download,modify,share");
  assert.match(await rightsOf(["house"]) ?? "", /^create,delete,download,modify,rename,share$/);
  assert.match(await rightsOf(["chiefs"]) ?? "", /admin,.*execute/);
  assert.equal(await rightsOf(["staff"]), "download,share", "who is no chief any more");
  assert.equal(await rightsOf(["strangers"]), "refused");
});

Deno.test("losing a right ends the sessions that had it, and the last administrator remains", async () => {
  const groups = [{ group: "*", may: "default" as const }, {
    group: "chiefs",
    may: ["admin"] as const,
  }];
  await using app = await opened({ linkUsers: true, groups });
  account("a1", { preferred_username: "admin", groups: ["chiefs"] });
  assert.equal((await signIn(app)).refused, null);
  const former = await app.tokenOf("admin");
  account("a1", { preferred_username: "admin", groups: [] });
  assert.equal((await signIn(app)).refused, "refused");
  await assertStatus(await app.call("GET", "/api/users", { token: former }), 200);

  await app.addUser("zoe", { perm: { admin: true } });
  await assertStatus(await app.call("GET", "/api/users", { token: former }), 200);
  assert.equal((await meOf(app, (await signIn(app)).token)).perm.admin, false);
  await assertRefused(await app.call("GET", "/api/users", { token: former }), 401, "not_signed_in");
});

Deno.test("a session is like all others: it is listed, ended, and gone with its user", async () => {
  await using app = await opened({ createUsers: true });
  const first = (await signIn(app)).token ?? undefined;
  const second = (await signIn(app)).token ?? undefined;
  const list = await app.call("GET", "/api/sessions", { token: first });
  const sessions: { sid: string; current: boolean }[] = await list.json();
  assert.equal(sessions.length, 2);
  const other = sessions.find(({ current }) => !current)?.sid;
  await assertStatus(await app.call("DELETE", `/api/sessions/${other}`, { token: first }), 200);
  await assertRefused(
    await app.call("GET", "/api/resources/", { token: second }),
    401,
    "not_signed_in",
  );
  await app.cubby.users.remove((await meOf(app, first ?? null)).id);
  await assertRefused(
    await app.call("GET", "/api/resources/", { token: first }),
    401,
    "not_signed_in",
  );
});

Deno.test("where accounts alone sign in, no password does, nor does anybody sign up", async () => {
  await using app = await opened({ only: true });
  await app.cubby.settings.update({ ...await app.cubby.settings.get(), signup: true });
  await assertRefused(await app.call("POST", "/api/login", { json: app.admin }), 403, "forbidden");
  const json = { username: "zoe", password: userPassword };
  await assertRefused(await app.call("POST", "/api/signup", { json }), 403, "forbidden");
  const page = await (await app.call("GET", "/login")).text();
  assert.ok(!page.includes('name="password"') && page.includes("Sign in with Otter ID"));
});

Deno.test("who has just signed in elsewhere needs no password to go on, a while later does", async () => {
  const groups = [{ group: "*", may: ["admin"] as const }];
  await using app = await opened({ createUsers: true, groups });
  const { token } = await signIn(app);
  const change = async () => {
    const settings = await app.cubby.settings.get();
    const json = { ...settings, signup: !settings.signup };
    return await app.call("PUT", "/api/settings", { token: token ?? "", json });
  };
  await assertStatus(await change(), 200);
  await app.later(11 * 60_000, async () => {
    await assertRefused(await change(), 403, "wrong_credentials");
  });
  const url = new URL(await new TestBrowser(app).follow("/login/oidc?again=1", /\/auth\?/));
  assert.deepEqual([url.searchParams.get("prompt"), url.searchParams.get("max_age")], [
    "login",
    "0",
  ]);
});

Deno.test("the visitor who goes away, and the provider that is away, are told so", async () => {
  await using app = await opened();
  provider.holder = null;
  assert.equal((await signIn(app)).refused, "cancelled");
  const page = await (await app.call("GET", "/login?refused=cancelled")).text();
  assert.ok(page.includes("You didn’t sign in with Otter ID."));
  const strange = await (await app.call("GET", "/login?refused=%3Cb%3E")).text();
  assert.ok(!strange.includes("form-error__text"));
  await using gone = await opened({ issuer: "http://127.0.0.1:1" });
  assert.equal((await signIn(gone)).refused, "away");
  assert.match(gone.log.lines.join("\n"), /Cannot reach the sign-in provider/);
});

Deno.test("signing out leads to the provider's own sign-out, where that is wanted", async () => {
  await using app = await opened({ createUsers: true, logout: true });
  const { browser } = await signIn(app);
  const page = await (await browser.visit("/files/")).text();
  assert.match(page, /"LogoutPage":"\/login\/oidc\/logout"/);
  const cookie = browser.cookies.header("http://cubby.test/login/oidc/logout");
  assert.match(cookie.cookie ?? "", /id_token=[\w-]+\.[\w-]+\.[\w-]+/);

  const foreign = await browser.visit("/login/oidc/logout", {
    headers: { "sec-fetch-site": "cross-site" },
  });
  assert.equal(foreign.headers.get("location"), "/login", "another site signs nobody out there");
  const answer = await browser.visit("/login/oidc/logout");
  const url = new URL(answer.headers.get("location") ?? "");
  assert.equal(url.href.split("?")[0], `${provider.config.issuer}/session/end`);
  assert.equal(url.searchParams.get("post_logout_redirect_uri"), "http://cubby.test/login");
  assert.ok(url.searchParams.get("id_token_hint"));
  const form = await (await browser.visit(url.href)).text();
  assert.match(form, /op\.logoutForm/, "the provider knows whose session it is");

  await using off = await opened({ createUsers: true });
  const other = (await signIn(off)).browser;
  assert.match(await (await other.visit("/files/")).text(), /"LogoutPage":""/);
  const nowhere = await other.visit("/login/oidc/logout");
  assert.equal(nowhere.headers.get("location"), "/login");
});

Deno.test("two devices that sign in first at once both get in, and make one user", async () => {
  await using app = await opened({ createUsers: true });
  const ways = [];
  for (const from of ["/login/oidc", "/login/oidc?redirect=/recent"]) {
    const browser = new TestBrowser(app);
    ways.push({ browser, way: await browser.follow(from, /\/login\/oidc\/callback\?/) });
  }
  const ends = await Promise.all(ways.map(({ browser, way }) => browser.follow(way)));
  assert.ok(ends.every((end) => end.includes("entered=1")), ends.join());
  assert.equal((await app.cubby.users.list()).filter(({ identity }) => identity).length, 1);
});

Deno.test("where accounts alone sign in, WebDAV takes no password either", async () => {
  const depth = { headers: { depth: "0" } };
  await using open = await opened({}, { webdav: true });
  await assertStatus(await davClient(open)("PROPFIND", "/", depth), 207);
  await using app = await opened({ only: true }, { webdav: true });
  await assertRefused(await davClient(app)("PROPFIND", "/", depth), 403, "forbidden");
});
