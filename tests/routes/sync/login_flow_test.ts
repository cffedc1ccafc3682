import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { beginFlow, ocs } from "../../support/clients/ocs.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { syncClients: true },
  tree: { "a.txt": "one", docs: { "b.txt": "two" }, own: { deep: {}, "x.txt": "x" } },
});
Deno.test.afterAll(app.close);

function grant(flow: string, token: string, json: Record<string, unknown> = {}, on: TestApp = app) {
  return on.call("POST", `/api/tokens/flows/${flow}`, { token, json });
}

async function propfind(path: string, authorization: string): Promise<number> {
  const headers = { authorization, depth: "0" };
  const answer = await app.call("PROPFIND", path, { headers });
  await answer.body?.cancel();
  return answer.status;
}
Deno.test("a client that asks gets 404 until its user consents, and after the answer", async () => {
  const { token, user } = await app.addUser("anna");
  const client = await beginFlow(app);
  for (const _ of [1, 2]) {
    const early = await client.poll();
    assert.deepEqual([early.status, await early.json()], [404, []]);
  }
  await assertStatus(await grant(client.flow, token, { write: true }), 200);
  assert.deepEqual(await app.cubby.apiTokens.list(user.id), [], "no token before it is fetched");

  const answer = await client.poll();
  const { server, loginName, appPassword } = await answer.json();
  assert.deepEqual([server, loginName], ["http://cubby.test", "anna"]);
  const [made] = await app.cubby.apiTokens.list(user.id);
  assert.deepEqual([made?.name, made?.write, made?.share, made?.place], [
    ...["Nextcloud for macOS", true, false, null],
  ]);
  assert.equal(await propfind("/remote.php/dav/files/anna/", basic("anna", appPassword)), 207);
  await assertStatus(await client.poll(), 404, "the result is given once");
});

Deno.test("a poll with a token that is none, or of another client, tells nothing", async () => {
  const { token } = await app.addUser("bea");
  const client = await beginFlow(app);
  await assertStatus(await grant(client.flow, token), 200);
  const [place] = client.flow.split(".");
  for (const text of ["", "x", client.flow, `${place}.${"A".repeat(43)}.${"A".repeat(43)}`]) {
    const body = new URLSearchParams({ token: text });
    await assertStatus(await app.call("POST", "/login/v2/poll", { body }), 404, text);
  }
  await assertStatus(await app.call("POST", "/login/v2/poll", { body: "" }), 404);
  const long = await app.call("POST", "/login/v2/poll", { body: "token=".padEnd(2000, "x") });
  await assertRefused(long, 413, "body_too_large");
  await assertStatus(await client.poll(), 200);
});

Deno.test("of many polls at once one gets the result", async () => {
  const { token, user } = await app.addUser("cleo");
  const client = await beginFlow(app);
  await assertStatus(await grant(client.flow, token), 200);
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.poll()));
  const statuses = answers.map(({ status }) => status).sort();
  for (const answer of answers) await answer.body?.cancel();
  assert.deepEqual(statuses, [200, ...Array(19).fill(404)]);
  assert.equal((await app.cubby.apiTokens.list(user.id)).length, 1);
});

Deno.test("a link is answered once: grants and refusals that follow find nothing", async () => {
  const { token } = await app.addUser("dan");
  const { token: other, user: stranger } = await app.addUser("dina");
  const client = await beginFlow(app);
  await assertStatus(await grant(client.flow, token), 200);
  await assertRefused(await grant(client.flow, other), 404, "not_found");
  const path = `/api/tokens/flows/${client.flow}`;
  await assertRefused(await app.call("DELETE", path, { token: other }), 404, "not_found");
  assert.equal((await (await client.poll()).json()).loginName, "dan");
  assert.deepEqual(await app.cubby.apiTokens.list(stranger.id), []);

  const refused = await beginFlow(app);
  const at = `/api/tokens/flows/${refused.flow}`;
  await assertStatus(await app.call("DELETE", at, { token }), 200);
  await assertRefused(await grant(refused.flow, token), 404, "not_found");
  await assertStatus(await refused.poll(), 404);
});

Deno.test("neither a cookie, an API token nor another site can consent (CSRF)", async () => {
  const { token, user } = await app.addUser("eve");
  const client = await beginFlow(app);
  const path = `/api/tokens/flows/${client.flow}`;
  const headers = { cookie: `auth=${token}`, "sec-fetch-site": "same-origin" };
  await assertRefused(await app.call("POST", path, { headers, json: {} }), 401, "not_signed_in");
  const draft = { name: "x", write: true, share: true, expires: null };
  const { secret } = await app.cubby.apiTokens.create(user.id, draft, null);
  await assertRefused(await grant(client.flow, secret), 403, "forbidden");
  const crossSite = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  const begun = await app.call("POST", "/index.php/login/v2", { headers: crossSite });
  await assertStatus(begun, 403);
  await assertStatus(await client.poll(), 404);
});

Deno.test("consent long after the sign-in wants the password again", async () => {
  const { token } = await app.addUser("fay");
  await app.later(11 * 60_000, async () => {
    const client = await beginFlow(app);
    await assertRefused(await grant(client.flow, token), 403, "wrong_credentials");
    const wrong = { current_password: "not the right one" };
    await assertRefused(await grant(client.flow, token, wrong), 403, "wrong_credentials");
    const right = { current_password: userPassword };
    await assertStatus(await grant(client.flow, token, right), 200);
    await assertStatus(await client.poll(), 200);
  });
});

Deno.test("a client has twenty minutes", async () => {
  const { token } = await app.addUser("gil");
  const [late, granted] = [await beginFlow(app), await beginFlow(app)];
  await assertStatus(await grant(granted.flow, token), 200);
  await app.later(21 * 60_000, async () => {
    const fresh = await app.tokenOf("gil");
    await assertRefused(await grant(late.flow, fresh), 404, "not_found");
    await assertStatus(await granted.poll(), 404);
  });
});

Deno.test("of one address a hundred clients wait at most; others are not held up", async () => {
  const from = "198.51.100.7";
  for (let count = 0; count < 100; count++) await beginFlow(app, "x", { from });
  const refused = await app.call("POST", "/index.php/login/v2", { from });
  assert.notEqual(refused.headers.get("retry-after"), null);
  await assertRefused(refused, 429, "throttled");
  await beginFlow(app, "x", { from: "198.51.100.8" });
});

Deno.test("the store holds neither secret of a client, nor the app password", async () => {
  const { token } = await app.addUser("ida");
  const client = await beginFlow(app);
  const dump = async () => {
    const records = await app.cubby.store.list<unknown>([]);
    return JSON.stringify(records.map(({ key, value }) => [key, value]));
  };
  const secret = client.flow.split(".")[1] ?? "";
  assert.ok(!(await dump()).includes(secret));
  await assertStatus(await grant(client.flow, token), 200);
  const { appPassword } = await (await client.poll()).json();
  const now = await dump();
  assert.ok(!now.includes(appPassword) && !now.includes(secret));
});

Deno.test("a user who is gone gets no app password", async () => {
  const { token, user } = await app.addUser("jo");
  const client = await beginFlow(app);
  await assertStatus(await grant(client.flow, token), 200);
  await app.cubby.users.remove(user.id);
  await assertStatus(await client.poll(), 404);
});

Deno.test("consent may be to read, and to one folder", async () => {
  const { token } = await app.addUser("kim");
  const client = await beginFlow(app);
  await assertRefused(await grant(client.flow, token, { folder: "/none" }), 400, "invalid_path");
  await assertRefused(await grant(client.flow, token, { folder: "/a.txt" }), 400, "invalid_path");
  await assertRefused(await grant(client.flow, token, { folder: "/../x" }), 400, "invalid_path");
  await assertStatus(await grant(client.flow, token, { folder: "/docs" }), 200);
  const { appPassword } = await (await client.poll()).json();
  const by = basic("kim", appPassword);
  assert.equal(await propfind("/remote.php/dav/files/kim/b.txt", by), 207);
  for (const path of ["docs/b.txt", "a.txt", "../a.txt", "%2e%2e/a.txt"]) {
    assert.notEqual(await propfind(`/remote.php/dav/files/kim/${path}`, by), 207, path);
  }
  const headers = { authorization: by };
  const put = await app.call("PUT", "/remote.php/webdav/new.txt", { headers, body: "x" });
  await assertStatus(put, 403);
});

Deno.test("consent may include sharing, which only who may share is offered", async () => {
  const { token, user } = await app.addUser("mae");
  const { token: other, user: kept } = await app.addUser("max", { perm: { share: false } });
  for (const [of, offers] of [[token, true], [other, false]] as const) {
    const client = await beginFlow(app);
    const headers = { cookie: `auth=${of}`, accept: "text/html" };
    const html = await (await app.call("GET", client.page, { headers })).text();
    assert.equal(html.includes('id="field-share"'), offers);
    await assertStatus(await grant(client.flow, of, { write: true, share: true }), 200);
    const { loginName, appPassword } = await (await client.poll()).json();
    const body = new URLSearchParams({ path: "/a.txt", shareType: "3" });
    const at = "v2.php/apps/files_sharing/api/v1/shares";
    const made = await ocs(app, "POST", at, basic(loginName, appPassword), { body });
    assert.equal(made.status, offers ? 200 : 403);
  }
  assert.deepEqual([(await app.cubby.apiTokens.list(user.id))[0]?.share], [true]);
  assert.equal(await app.cubby.shares.isSharing(kept.id), false);
});

Deno.test("an app finds its folder at the top, and writes and moves in it", async () => {
  const { token } = await app.addUser("lou");
  const client = await beginFlow(app);
  await assertStatus(await grant(client.flow, token, { folder: "/own/deep", write: true }), 200);
  const { appPassword } = await (await client.poll()).json();
  const authorization = basic("lou", appPassword);
  const at = "/remote.php/dav/files/lou";
  const ask = (method: string, path: string, more: object = {}, body?: string) =>
    app.call(method, at + path, { headers: { authorization, ...more }, body });
  await assertStatus(await ask("PUT", "/new.txt", {}, "new"), 201);
  await assertStatus(await ask("MKCOL", "/sub"), 201);
  const destination = `http://cubby.test${at}/sub/moved.txt`;
  await assertStatus(await ask("MOVE", "/new.txt", { destination }), 201);
  const listed = await (await ask("PROPFIND", "/", { depth: "1" })).text();
  const hrefs = [...listed.matchAll(/<(?:D|d):href>([^<]*)</g)].map(([, href]) => href).sort();
  assert.deepEqual(hrefs, [`${at}/`, `${at}/sub/`]);
  const moved = await Deno.readTextFile(join(app.root, "own/deep/sub/moved.txt"));
  assert.equal(moved, "new");

  const uploads = "/remote.php/dav/uploads/lou/one";
  const send = (method: string, path: string, more: object = {}, body?: string) =>
    app.call(method, uploads + path, {
      headers: { authorization, "content-length": String(body?.length ?? 0), ...more },
      body,
    });
  const target = { destination: `http://cubby.test${at}/chunked.txt` };
  await assertStatus(await send("MKCOL", "", target), 201);
  await assertStatus(await send("PUT", "/1", target, "in "), 201);
  await assertStatus(await send("PUT", "/2", target, "parts"), 201);
  await assertStatus(await send("MOVE", "/.file", target), 201);
  assert.equal(await Deno.readTextFile(join(app.root, "own/deep/chunked.txt")), "in parts");
  await assertStatus(await ask("DELETE", "/sub"), 204);
});

Deno.test("an app password that is revoked is refused at once", async () => {
  const { token } = await app.addUser("leo");
  const client = await beginFlow(app);
  await assertStatus(await grant(client.flow, token), 200);
  const { appPassword } = await (await client.poll()).json();
  const by = basic("leo", appPassword);
  assert.equal(await propfind("/remote.php/webdav/", by), 207);
  const [info] = await (await app.call("GET", "/api/tokens", { token })).json();
  assert.notEqual(info.lastUsed, null);
  await assertStatus(await app.call("DELETE", `/api/tokens/${info.id}`, { token }), 200);
  assert.equal(await propfind("/remote.php/webdav/", by), 401);
});

Deno.test("the page leads to the sign-in, and comes back", async () => {
  const client = await beginFlow(app);
  const answer = await app.call("GET", client.page, { headers: { accept: "text/html" } });
  assert.equal(answer.status, 302);
  const location = new URL(answer.headers.get("location") ?? "", "http://cubby.test");
  assert.equal(location.pathname, "/login");
  assert.equal(location.searchParams.get("redirect"), client.page);
});

Deno.test("the page names the app and its address, and grants nothing by itself", async () => {
  const { token } = await app.addUser("mia");
  const agent = "<b>Bank\u202e</b> (Desktop Client - Linux)";
  const client = await beginFlow(app, encodeURI(agent).replaceAll("%20", " "), {
    from: "203.0.113.9",
  });
  const headers = { cookie: `auth=${token}`, accept: "text/html" };
  const html = await (await app.call("GET", client.page, { headers })).text();
  assert.match(html, /Nextcloud for Linux · %3Cb%3EBank/);
  assert.match(html, /203\.0\.113\.9/);
  assert.match(html, /mia/);
  await assertStatus(await client.poll(), 404);
  const gone = await app.call("GET", `${client.page}x`, { headers });
  await assertStatus(gone, 404);
});
