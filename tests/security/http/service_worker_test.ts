/** Attacks by way of what an installed site keeps in the browser, and of its share target. */
import assert from "node:assert/strict";
import { serviceWorker, SHARED_MS } from "../../../lib/client/files_page/offline/service_worker.ts";
import { startApp } from "../../support/server/app.ts";
import { FakeScope } from "../../unit/client/files_page/offline/fake_scope.ts";

const app = await startApp({ tree: { "a.txt": "secret" }, islands: true });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const cookie = `auth=${token}`;

/** The worker as the server sends it, in a browser whose network is the server. */
async function worker(): Promise<FakeScope> {
  const script = await (await app.call("GET", "/service-worker.js")).text();
  const fake = new FakeScope();
  fake.network = async (request) => {
    const { pathname, search } = new URL(request.url);
    return await app.call(request.method, pathname + search, { headers: { cookie } });
  };
  // As a browser does: the text alone, without what its module has around it.
  new Function("self", script)(fake.scope);
  await fake.live("install");
  await fake.live("activate");
  return fake;
}

Deno.test("reading what the next user of the browser finds in the worker's caches", async () => {
  const fake = await worker();
  const visits = ["/files/", "/files/a.txt", "/settings/profile", "/trash", "/login?expired"];
  for (const path of visits) await (await fake.ask(path, { navigates: true }))?.body?.cancel();
  const calls = ["/api/resources/", "/api/raw/a.txt?inline=true", "/api/preview/thumb/a.txt"];
  for (const path of calls) assert.equal(await fake.ask(path), null, path);
  for (const name of await fake.caches.keys()) {
    for (const path of fake.caches.paths(name)) {
      assert.match(path, /^\/(offline$|(styles\.css|offline\.js|favicon\.svg)\?)/, name);
    }
  }
  const offline = await (await fake.ask("/offline", { navigates: true }))?.text() ?? "";
  assert.doesNotMatch(offline, /admin|secret|a\.txt|application\/json/);
});

Deno.test("a file of the user that is called as one of the build is not kept", async () => {
  const fake = await worker();
  const before = fake.caches.paths([...fake.caches.all.keys()][0] ?? "");
  for (const path of ["/files/late.css", "/api/raw/styles.css", "/share/abc/offline.js"]) {
    assert.equal(await fake.ask(path), null, path);
  }
  // Unlike those of a build it may change: here the server has none of that name.
  await (await fake.ask("/mine.css"))?.body?.cancel();
  assert.deepEqual(fake.caches.paths([...fake.caches.all.keys()][0] ?? ""), before);
});

Deno.test("shared files do not wait for the next user: they go with the session, and in time", async () => {
  const fake = await worker();
  const share = async () => {
    const body = new FormData();
    body.append("files", new File(["private"], "me.jpg"));
    await fake.ask("/share-target", { method: "POST", body });
    assert.ok(await fake.caches.has("cubby:shared"));
  };
  await share();
  assert.equal(await fake.ask("/api/logout", { method: "POST" }), null);
  assert.equal(await fake.caches.has("cubby:shared"), false);

  await share();
  const { now } = Date;
  Date.now = () => now() + SHARED_MS + 1;
  try {
    await (await fake.ask("/login", { navigates: true }))?.body?.cancel();
  } finally {
    Date.now = now;
  }
  assert.equal(await fake.caches.has("cubby:shared"), false);
});

Deno.test("a form of another site that sends files to the share target brings nothing", async () => {
  const names = () => [...Deno.readDirSync(app.root)].map(({ name }) => name).sort();
  const before = names();
  const body = () => {
    const form = new FormData();
    form.append("files", new File(["evil"], "evil.html"));
    return form;
  };
  const evil = { "sec-fetch-site": "cross-site", origin: "https://evil.test", cookie };
  const refused = await app.call("POST", "/share-target", { headers: evil, body: body() });
  assert.equal(refused.status, 403);
  await refused.body?.cancel();
  // So it comes from the system's share menu, when there is no worker.
  const shared = { "sec-fetch-site": "none", accept: "text/html", cookie };
  const answer = await app.call("POST", "/share-target", { headers: shared, body: body() });
  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /Nothing was uploaded/);
  assert.deepEqual(names(), before);
});

Deno.test("the worker's script may connect to its own server alone, and runs nothing else", async () => {
  const answer = await app.call("GET", "/service-worker.js");
  await answer.body?.cancel();
  const policy = answer.headers.get("content-security-policy");
  assert.equal(policy, "default-src 'none'; connect-src 'self'");
  assert.equal(answer.headers.get("cache-control"), "no-cache");
  assert.equal(answer.headers.get("service-worker-allowed"), null);
  assert.equal(String(serviceWorker).includes("skipWaiting"), false, "an open page keeps its own");
});
