import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";

const app = await startApp({ tree: {}, islands: true, config: { baseUrl: "/base" } });
const off = await startApp({ tree: {}, islands: true, config: { disableInstall: true } });
Deno.test.afterAll(app.close);
Deno.test.afterAll(off.close);
const token = await app.tokenOf("admin");

Deno.test("the manifest has the site's name, its place, and texts in the user's language", async () => {
  const headers = { cookie: `auth=${token}`, "accept-language": "de" };
  const answer = await app.call("GET", "/base/manifest.webmanifest", { headers });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/manifest\+json/);
  const manifest = await answer.json();
  const { name, start_url, scope, id, share_target } = manifest;
  assert.deepEqual([name, start_url, scope, id], ["Cubby", "/base/files/", "/base/", "/base/"]);
  assert.equal(share_target.action, "/base/share-target");
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await app.call("GET", src);
    const bytes = new DataView(await icon.arrayBuffer());
    assert.equal(icon.headers.get("content-type"), type, src);
    assert.equal(`${bytes.getUint32(16)}x${bytes.getUint32(20)}`, sizes, src);
  }
  for (const { url } of manifest.shortcuts) assert.match(url, /^\/base\//);
});

Deno.test("pages name the manifest, and an icon for home screens", async () => {
  const page = await (await app.call("GET", "/base/login")).text();
  assert.match(page, /<link rel="manifest" href="\/base\/manifest.webmanifest"/);
  assert.match(page, /<link rel="apple-touch-icon" href="\/base\/icons\/apple-touch-icon.png/);
});

Deno.test("switched off there is no manifest, and the worker removes itself", async () => {
  assert.doesNotMatch(await (await off.call("GET", "/login")).text(), /manifest/);
  const answer = await off.call("GET", "/manifest.webmanifest");
  await answer.body?.cancel();
  assert.equal(answer.status, 404);
  const script = await (await off.call("GET", "/service-worker.js")).text();
  assert.match(script, /unregister\(\)/);
  assert.doesNotMatch(script, /"fetch"/);
});

Deno.test("the share target opened as a page leads to the files", async () => {
  const answer = await app.call("GET", "/base/share-target");
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.get("location"), "/base/files/");
});

Deno.test("the offline page is in the visitor's language, and looks for the server", async () => {
  const headers = { "accept-language": "de" };
  const answer = await app.call("GET", "/base/offline", { headers });
  assert.equal(answer.headers.get("x-look"), "de");
  const page = await answer.text();
  assert.match(page, /<html lang="de"/);
  assert.match(page, /src="\/base\/offline\.js\?/);
});
