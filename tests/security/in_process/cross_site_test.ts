import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  inProcess: true,
  config: { trustedProxies: ["10.0.0.1"] },
  tree: { "a.txt": "a" },
});
const open = await startApp({
  inProcess: true,
  config: { authMethod: "noauth" },
  tree: { "a.txt": "former" },
});
Deno.test.afterAll(app.close);
Deno.test.afterAll(open.close);

/** What a browser says of a form or script on another site. */
const declared: Record<string, string>[] = [
  { "sec-fetch-site": "cross-site", origin: "http://evil.test" },
  { "sec-fetch-site": "same-site", origin: "http://evil.cubby.test" },
  { "sec-fetch-site": "cross-site" },
];
/** The same over http, and of an old browser: it looks like our own page behind a proxy. */
const undeclared: Record<string, string>[] = [
  { origin: "http://evil.test" },
  { origin: "http://cubby.test.evil.test" },
  { origin: "http://cubby.test:8081" },
  { origin: "null" },
];
const foreign = [...declared, ...undeclared];
/** What it says of our own pages; and what other clients say: nothing. */
const own: Record<string, string>[] = [
  { "sec-fetch-site": "same-origin", origin: "http://cubby.test" },
  { "sec-fetch-site": "none" },
  { origin: "http://cubby.test" },
  {},
];
/** The types that a form can give its body, and that a script can without a preflight. */
const formTypes = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
];

Deno.test("another site cannot sign a visitor in as somebody else", async () => {
  const json = app.admin;
  for (const headers of declared) {
    const answer = await app.call("POST", "/api/login", { json, headers });
    assert.equal(answer.headers.get("set-cookie"), null);
    await assertRefused(answer, 403, "forbidden", JSON.stringify(headers));
  }
  for (const headers of own) {
    const answer = await app.call("POST", "/api/login", { json, headers });
    assert.match(answer.headers.get("set-cookie") ?? "", /^auth=/);
    await assertStatus(answer, 200, JSON.stringify(headers));
  }
});

Deno.test("a form of another site leaves no session in a browser that does not name the site", async () => {
  // `{"username":"…","password":"…","x":"="}`, as <input name='{…,"x":"' value='"}'> sends it.
  const body = JSON.stringify({ ...app.admin, x: "=" });
  for (const headers of undeclared) {
    for (const type of [...formTypes, "application/json"]) {
      const sent = { ...headers, "content-type": type };
      const answer = await app.call("POST", "/api/login", { body, headers: sent });
      const said = JSON.stringify(sent);
      assert.equal(answer.headers.get("set-cookie"), null, said);
      assert.equal(answer.headers.get("access-control-allow-origin"), null, said);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/, said);
      await assertStatus(answer, 200, said);
    }
  }
});

Deno.test("no preflight grants another site the header by which our own pages are known", async () => {
  const headers = {
    origin: "http://evil.test",
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type,x-auth",
  };
  for (const path of ["/api/login", "/api/signup", "/api/settings", "/api/resources/a.txt"]) {
    const answer = await app.call("OPTIONS", path, { headers });
    for (const name of answer.headers.keys()) assert.doesNotMatch(name, /^access-control-/, path);
    await answer.body?.cancel();
  }
});

Deno.test("a form of another site cannot sign anybody up, nor change anything else", async () => {
  const { users, settings } = app.cubby;
  await settings.update({ ...await settings.get(), signup: true });
  const body = JSON.stringify({ username: "mallory", password: "four herons at dawn" });
  for (const headers of undeclared) {
    for (const type of formTypes) {
      const sent = { ...headers, "content-type": type };
      for (
        const path of ["/api/signup", "/api/public/invite", "/api/login/passkey", "/api/logout"]
      ) {
        const answer = await app.call("POST", path, { body, headers: sent });
        await assertRefused(answer, 403, "forbidden", `${path} ${type}`);
      }
    }
  }
  assert.equal(await users.byName("mallory"), null);
});

Deno.test("behind a proxy that replaces Host, pages sign in and up, the refusal names the way out", async () => {
  const { settings } = app.cubby;
  await settings.update({ ...await settings.get(), signup: true });
  const headers = { origin: "http://nas.local" };
  const newcomer = { username: "vera", password: "four herons at dawn" };
  // File Browser's pages read the token in the body.
  const token = await (await app.call("POST", "/api/login", { json: app.admin, headers })).text();
  await assertStatus(await app.call("GET", "/api/resources/", { token, headers }), 200);
  const asJson = { ...headers, "content-type": "application/json" };
  const up = await app.call("POST", "/api/signup", { json: newcomer, headers: asJson });
  assert.equal(up.headers.get("set-cookie"), null);
  await assertStatus(up, 200);
  // Our own also need the cookie, for pages, pictures and downloads.
  const asOwn = { ...headers, "x-auth": "cookie" };
  const answer = await app.call("POST", "/api/login", { json: app.admin, headers: asOwn });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  assert.match(cookie, /^auth=./);
  await assertStatus(answer, 200);
  await assertStatus(await app.call("GET", "/api/resources/", { headers: { cookie } }), 200);

  // A form with the ticket of a download, and without one.
  const asked = { token, json: { path: "/", use: "raw" } };
  const ticket = await (await app.call("POST", "/api/ticket", asked)).text();
  const form = { headers, body: new URLSearchParams({ files: "a.txt" }) };
  await assertStatus(await app.call("POST", `/api/raw/?auth=${ticket}`, form), 200);
  await assertRefused(await app.call("POST", "/api/raw/?auth=x", form), 401, "not_signed_in");
  await assertRefused(await app.call("POST", "/api/raw/", form), 403, "forbidden");

  const refused = await app.call("POST", "/api/logout", { headers });
  assert.match(await refused.text(), /pass the Host header on/);
});

Deno.test("behind a trusted proxy, the origin is compared with the name it is known by", async () => {
  const json = app.admin;
  const headers = { origin: "https://files.example", "x-forwarded-host": "files.example" };
  const sign = (from: string) => app.call("POST", "/api/login", { json, headers, from });
  const [vouched, other] = [await sign("10.0.0.1"), await sign("10.0.0.2")];
  assert.match(vouched.headers.get("set-cookie") ?? "", /^auth=/);
  assert.equal(other.headers.get("set-cookie"), null);
  await assertStatus(vouched, 200);
  await assertStatus(other, 200);
});

Deno.test("without sign-in, another site cannot write or delete through a visitor", async () => {
  const origin = "http://127.0.0.1:8080";
  const writes = [["POST", "new.txt"], ["POST", "a.txt?override=true"], ["PUT", "a.txt"]];
  writes.push(["DELETE", "a.txt"]);
  for (const headers of foreign) {
    for (const [method = "", path = ""] of writes) {
      const body = method === "DELETE" ? undefined : "x";
      const answer = await open.call(method, `/api/resources/${path}`, { headers, origin, body });
      await assertRefused(answer, 403, "forbidden", `${method} ${JSON.stringify(headers)}`);
    }
  }
  assert.equal(Deno.readTextFileSync(join(open.root, "a.txt")), "former");
  assert.deepEqual([...Deno.readDirSync(open.root)].map(({ name }) => name), ["a.txt"]);
});

Deno.test("without sign-in, a name that was made to point here is not answered (DNS rebinding)", async () => {
  for (
    const origin of ["http://evil.test", "http://evil.test:8080", "http://127.0.0.1.evil.test"]
  ) {
    for (const path of ["/api/resources/", "/api/raw/a.txt", "/health"]) {
      const answer = await open.call("GET", path, { origin });
      assert.equal(answer.status, 403, `${origin}${path}`);
      assert.doesNotMatch(await answer.text(), /former|a\.txt/);
    }
  }
  for (const origin of ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:8080"]) {
    await assertStatus(await open.call("GET", "/api/resources/", { origin }), 200, origin);
  }
});

Deno.test("no answer lets another site read it", async () => {
  const token = await app.tokenOf("admin");
  const headers = { origin: "http://evil.test", "sec-fetch-site": "cross-site" };
  const answer = await app.call("GET", "/api/resources/", { token, headers });
  assert.equal(answer.headers.get("access-control-allow-origin"), null);
  assert.equal(answer.headers.get("cross-origin-resource-policy"), "same-origin");
  await answer.body?.cancel();
});
