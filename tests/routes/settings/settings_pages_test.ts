import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ tree: { fjords: {} } });
Deno.test.afterAll(app.close);

const pages = ["profile", "shares", "global", "users", "users/new", "users/1", "activity", "check"];

function open(page: string, token?: string): Promise<Response> {
  const headers: Record<string, string> = token ? { cookie: `auth=${token}` } : {};
  return app.call("GET", `/settings/${page}`, { headers });
}

async function leadsTo(answer: Response, to: string): Promise<void> {
  await assertStatus(answer, 302);
  assert.equal(answer.headers.get("location"), to);
  assert.equal(answer.headers.get("cache-control"), "no-store");
}

Deno.test("the settings lead whoever is not signed in to the sign-in, and back", async () => {
  for (const page of pages) {
    const back = encodeURIComponent(`/settings/${page}`);
    await leadsTo(await open(page), `/login?redirect=${back}`);
  }
  await leadsTo(await app.call("GET", "/settings"), "/login?redirect=%2Fsettings");
});

Deno.test("what is an administrator's leads others to 403", async () => {
  const { token } = await app.addUser("paula");
  for (
    const page of [
      "global",
      "users",
      "users/new",
      "users/1",
      "users/999",
      "activity",
      "check",
      "webhooks",
    ]
  ) {
    await leadsTo(await open(page, token), "/403");
  }
});

Deno.test("the shares lead whoever may not share to 403", async () => {
  const { token } = await app.addUser("quinn", { perm: { share: false } });
  await leadsTo(await open("shares", token), "/403");
  await assertStatus(await open("profile", token), 200);
});

Deno.test("a user that does not exist has no page", async () => {
  const token = await app.tokenOf("admin");
  for (const id of ["999", "01", "1.0", "x"]) {
    await assertStatus(await open(`users/${id}`, token), 404);
  }
});

Deno.test("the settings begin with one's own", async () => {
  const token = await app.tokenOf("admin");
  const headers = { cookie: `auth=${token}` };
  for (const path of ["/settings", "/settings/"]) {
    await leadsTo(await app.call("GET", path, { headers }), "/settings/profile");
  }
});

Deno.test("each page comes with its content and its title, and is not kept", async () => {
  const token = await app.tokenOf("admin");
  const wanted = {
    profile: ["<title>Profile Settings - Cubby</title>", "This session"],
    shares: ["<title>Share Management - Cubby</title>", "It feels lonely here…"],
    global: ["<title>Global Settings - Cubby</title>", "Command runner", 'href="#storage"'],
    check: ["<title>Server check - Cubby</title>", "Anyone who can reach", "--webdav"],
    users: ["<title>User Management - Cubby</title>", "Edit admin"],
    "users/new": ["<title>New User - Cubby</title>", "Administrator"],
    "users/1": ["<title>User admin - Cubby</title>", "(leave blank to avoid changes)"],
  };
  for (const [page, texts] of Object.entries(wanted)) {
    const answer = await open(page, token);
    assert.equal(answer.status, 200, page);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const html = await answer.text();
    for (const text of texts) assert.ok(html.includes(text), `${page}: ${text}`);
  }
});

Deno.test("the form of a user has all groups, whatever the address searches for", async () => {
  const token = await app.tokenOf("admin");
  for (const name of ["Herons", "Storks"]) {
    const json = { name, current_password: app.admin.password };
    await assertStatus(await app.call("POST", "/api/groups", { token, json }), 201);
  }
  for (const query of ["", "query=herons", "limit=1", "after=1"]) {
    const html = await (await open(`users/1?${query}`, token)).text();
    for (const name of ["Herons", "Storks"]) {
      assert.ok(html.includes(`${name}</label>`), `${query}: ${name}`);
    }
  }
});

Deno.test("an administrator sees whose each share is, others see their own alone", async () => {
  const { token } = await app.addUser("rosa");
  const headers = { "content-type": "application/json" };
  const share = { token, headers, json: {} };
  await assertStatus(await app.call("POST", "/api/share/fjords", share), 200);

  const other = await app.addUser("sven");
  const admins = await (await open("shares", await app.tokenOf("admin"))).text();
  const others = await (await open("shares", other.token)).text();
  assert.match(admins, /<td[^>]*><bdi>rosa<\/bdi><\/td>/);
  assert.ok(admins.includes("/fjords"));
  assert.ok(!others.includes("/fjords"), "a foreign share is listed");
});

Deno.test("no page of the settings holds a password, hash or key", async () => {
  const token = await app.tokenOf("admin");
  for (const page of pages) {
    const html = await (await open(page, token)).text();
    assert.doesNotMatch(html, /\$2[aby]\$|passwordHash/, page);
  }
});

Deno.test("names are text wherever the settings show them", async () => {
  const name = "<img src=x onerror=alert(1)>";
  const { user } = await app.addUser(name);
  const token = await app.tokenOf("admin");
  for (const page of ["users", `users/${user.id}`]) {
    const html = await (await open(page, token)).text();
    assert.ok(!html.includes("<img src=x"), page);
  }
});
