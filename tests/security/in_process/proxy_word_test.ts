import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { runCommand } from "../../support/clients/command.ts";
import { requestHead, sendRaw } from "../../support/clients/raw_http.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const header = "x-remote-user";
const proxy = "10.0.0.1";
const stranger = "192.0.2.1";

const app = await startApp({
  inProcess: true,
  config: {
    authMethod: "proxy",
    authHeader: header,
    trustedProxies: ["10.0.0.0/8", "127.0.0.1"],
    disableExec: false,
  },
  tree: { "a.txt": "one", folder: { "b.txt": "two" } },
});
Deno.test.afterAll(app.close);
const { url, ...listener } = app.listen();
const rights = { perm: { execute: true }, commands: ["echo"] };
const bea = await app.addUser("bea", rights);
await app.addUser("cleo", { perm: { download: false } });

/** One of each kind of call; all of them work for bea with the proxy's word. */
const calls: [method: string, path: string, json?: unknown][] = [
  ["GET", "/api/resources/"],
  ["HEAD", "/api/resources/a.txt"],
  ["GET", "/api/resources/a.txt?checksum=md5"],
  ["GET", "/api/raw/a.txt"],
  ["GET", "/api/raw/folder?algo=tar"],
  ["GET", "/api/search/?query=a"],
  ["GET", "/api/usage/"],
  ["GET", "/api/watch/"],
  ["GET", "/api/sessions"],
  ["GET", `/api/users/${bea.user.id}`],
  ["GET", "/api/shares"],
  ["POST", "/api/ticket", { path: "/a.txt", use: "raw" }],
  ["POST", "/api/share/a.txt", {}],
  ["POST", "/api/resources/new.txt"],
  ["PUT", "/api/resources/a.txt"],
  ["PATCH", "/api/resources/a.txt?action=copy&destination=/c.txt"],
  ["DELETE", "/api/resources/a.txt"],
  ["DELETE", "/api/sessions"],
  ["POST", "/api/renew"],
  ["POST", "/api/logout"],
];

const word = (name: string, more: Record<string, string> = {}) => ({ [header]: name, ...more });

async function assertNobody(answer: Response, told: string): Promise<void> {
  // HEAD has no code in a body.
  if (await answer.clone().text() === "") assert.equal(answer.status, 401, told);
  else await assertRefused(answer, 401, "not_signed_in", told);
}

async function ticketOf(path: string, use: "raw" | "command"): Promise<string> {
  const signedIn = await app.cubby.sessions.authenticate(await app.tokenOf("bea"));
  return await app.cubby.sessions.ticket(signedIn, { path, use });
}

for (
  const [attack, from, headers] of [
    ["from elsewhere", stranger, {}],
    ["from elsewhere with the header", stranger, word("bea")],
    ["from elsewhere in the proxy's name", stranger, word("bea", { "x-forwarded-for": proxy })],
    ["by the proxy, which names nobody", proxy, {}],
    ["by the proxy with an empty name", proxy, word(" ")],
    ["by the proxy in the name of an unknown user", proxy, word("zoe")],
    ["by the proxy in the name spelled in capitals", proxy, word("BEA")],
    ["by the proxy in the name of another user", proxy, word("cleo")],
    ["by the proxy in two names", proxy, word("bea, bea")],
  ] as const
) {
  Deno.test(`a stolen token is worth nothing when it is sent ${attack}`, async () => {
    const { session, token } = await app.cubby.sessions.open(bea.user, { address: "", agent: "" });
    for (const [method, path, json] of calls) {
      const answer = await app.call(method, path, { token, headers, json, from });
      await assertNobody(answer, `${method} ${path}`);
    }
    const upgrade = { ...headers, upgrade: "websocket", connection: "upgrade" };
    const socket = { token, headers: upgrade, from };
    await assertNobody(await app.call("GET", "/api/command/", socket), "command");
    const { gen, sid } = (await app.cubby.sessions.authenticate(token)).session;
    assert.deepEqual([gen, sid], [1, session.sid], "neither renewed nor ended");
    assert.equal(await Deno.readTextFile(`${app.root}/a.txt`), "one");
  });

  Deno.test(`a stolen cookie or ticket is worth nothing when it is sent ${attack}`, async () => {
    const cookie = `auth=${await app.tokenOf("bea")}`;
    for (const [method, path] of calls.filter(([method]) => /GET|HEAD/.test(method))) {
      const answer = await app.call(method, path, { headers: { ...headers, cookie }, from });
      await assertNobody(answer, `${method} ${path}`);
    }
    const raw = await ticketOf("/a.txt", "raw");
    await assertNobody(await app.call("GET", `/api/raw/a.txt?auth=${raw}`, { headers, from }), "");
    const body = new FormData();
    body.append("files", "b.txt");
    const form = { headers, from, body };
    const folder = `/api/raw/folder?auth=${await ticketOf("/folder", "raw")}`;
    await assertNobody(await app.call("POST", folder, form), "form");
    const command = `/api/command/?auth=${await ticketOf("/", "command")}`;
    const upgrade = { ...headers, upgrade: "websocket", connection: "upgrade" };
    await assertNobody(await app.call("GET", command, { headers: upgrade, from }), "command");
  });
}

Deno.test("a stolen cookie opens no page without the proxy's word", async () => {
  const cookie = `auth=${await app.tokenOf("bea")}`;
  for (const [from, headers] of [[stranger, word("bea")], [proxy, {}]] as const) {
    for (const path of ["/files/", "/files/a.txt", "/settings/profile", "/a.txt"]) {
      const answer = await app.call("GET", path, { headers: { ...headers, cookie }, from });
      assert.equal(answer.status, 302, path);
      assert.match(answer.headers.get("location") ?? "", /^\/login\?redirect=/, path);
      await answer.body?.cancel();
    }
    const share = await app.call("GET", "/share/none", { headers: { cookie }, from });
    const text = await share.text();
    assert.ok(share.status === 404 && !text.includes('"bea"'), "no name on public pages");
  }
});

Deno.test("a page follows the proxy's word, and forgets the cookie of somebody else", async () => {
  const cookie = `auth=${await app.tokenOf("bea")}`;
  const headers = word("cleo", { cookie });
  const answer = await app.call("GET", "/files/", { headers, from: proxy });
  const text = await answer.text();
  assert.equal(answer.status, 200);
  assert.ok(text.includes("cleo") && !text.includes("bea"), "the page is cleo's");
  assert.match(answer.headers.get("set-cookie") ?? "", /^auth=; Path=\/; Max-Age=0;/);

  const own = word("bea", { cookie });
  const hers = await app.call("GET", "/files/", { headers: own, from: proxy });
  assert.equal(hers.headers.get("set-cookie"), null, "a right cookie stays");
  await assertStatus(hers, 200);
});

Deno.test("a token that was renewed long ago ends no session without the proxy's word", async () => {
  const { token: first } = await app.cubby.sessions.open(bea.user, { address: "", agent: "" });
  const headers = word("bea");
  const renewed = await app.call("POST", "/api/renew", { token: first, headers, from: proxy });
  const second = await renewed.text();
  await app.later(31_000, async () => {
    const use = (token: string, from: string) =>
      app.call("GET", "/api/usage/", { token, headers, from });
    await assertStatus(await use(first, stranger), 401);
    assert.ok(await app.cubby.sessions.authenticate(second), "the session lives");
  });
});

Deno.test("the token of a removed user is dead, with the proxy's word as well", async () => {
  const dora = await app.addUser("dora");
  const call = () =>
    app.call("GET", "/api/usage/", { token: dora.token, headers: word("dora"), from: proxy });
  await assertStatus(await call(), 200);
  await app.cubby.users.remove(dora.user.id);
  await assertRefused(await call(), 401, "not_signed_in");
});

Deno.test("over a socket, a ticket runs commands with the proxy's word alone", async () => {
  for (const headers of [{}, word("cleo"), word("bea, bea")]) {
    const ticket = await ticketOf("/", "command");
    const { code, lines } = await runCommand("echo a", { url, ticket, headers });
    assert.deepEqual([code === 1000, lines], [false, []], JSON.stringify(headers));
  }
  const ticket = await ticketOf("/", "command");
  const { reason, lines } = await runCommand("echo a", { url, ticket, headers: word("bea") });
  assert.deepEqual([reason, lines], ["0", ["a"]]);
});

Deno.test("a header that the visitor sends beside the proxy's own makes neither name count", async () => {
  await app.addUser("bea, cleo");
  const token = await app.tokenOf("bea");
  for (const second of ["cleo", "bea"]) {
    const head = requestHead("GET", "/api/usage/", { "x-auth": token, connection: "close" });
    const doubled = `${head.trimEnd()}\r\n${header}: bea\r\n${header}: ${second}\r\n\r\n`;
    assert.equal((await sendRaw(listener, doubled)).status, 401, second);
  }
});

Deno.test("with the proxy's word, token, cookie and tickets of the same user all work", async () => {
  const headers = word("bea");
  const token = await app.tokenOf("bea");
  const get = (path: string, more: Record<string, string> = {}, own?: string) =>
    app.call("GET", path, { token: own, headers: { ...headers, ...more }, from: proxy });
  await assertStatus(await get("/api/raw/a.txt", {}, token), 200);
  await assertStatus(await get("/api/raw/a.txt", { cookie: `auth=${token}` }), 200);
  await assertStatus(await get(`/api/raw/a.txt?auth=${await ticketOf("/a.txt", "raw")}`), 200);
  const renewed = await app.call("POST", "/api/renew", { token, headers, from: proxy });
  const next = await renewed.text();
  assert.equal((await app.cubby.sessions.authenticate(next)).session.gen, 2);
  await assertStatus(
    await app.call("POST", "/api/logout", { token: next, headers, from: proxy }),
    200,
  );
  await assert.rejects(app.cubby.sessions.authenticate(next));
});

Deno.test("what is open to everybody needs no proxy's word: shares, the sign-in page, its files", async () => {
  const json = { expires: "1", unit: "hours" };
  const made = { json, headers: word("bea"), from: proxy };
  const { hash } = await (await app.call("POST", "/api/share/folder", made)).json();
  const visits = [
    `/api/public/share/${hash}`,
    `/api/public/dl/${hash}/b.txt`,
    `/share/${hash}`,
    "/login",
    "/styles.css",
    "/health",
    "/api/openapi.json",
  ];
  for (const path of visits) {
    await assertStatus(await app.call("GET", path, { from: stranger }), 200, path);
    const token = await app.tokenOf("bea");
    const carried = { token, headers: { cookie: `auth=${token}` }, from: stranger };
    await assertStatus(await app.call("GET", path, carried), 200, path);
  }
});
