import assert from "node:assert/strict";
import { version } from "../../../lib/shared/version.ts";
import { startApp } from "../../support/server/app.ts";

const app = await startApp({ islands: true, tree: { folder: { "a.txt": "one" } } });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const share = await app.call("POST", "/api/share/folder", { token, json: {} });
const { hash } = await share.json();

const pages = ["/login", "/login?signup", "/403", "/404", "/500", `/share/${hash}`, "/share/none"];

async function read(path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await app.call("GET", path, { headers });
  const told = [...answer.headers].map((pair) => pair.join(": ")).join("\n");
  return `${told}\n\n${await answer.text()}`;
}

Deno.test("a stranger learns the version from no page, and from none of its scripts and styles", async () => {
  const assets = new Set<string>();
  for (const path of pages) {
    const page = await read(path, { accept: "text/html" });
    assert.ok(!page.includes(version), `${path} ${page.split(version)[0]?.slice(-80)}`);
    for (const [, asset = ""] of page.matchAll(/"(\/[^"\s]+\.(?:js|css|svg)[^"\s]*)"/g)) {
      assets.add(asset.replaceAll("&amp;", "&"));
    }
  }
  assert.ok(assets.size >= 3, [...assets].join());
  for (const asset of assets) {
    assert.ok(!(await read(asset)).includes(`Cubby ${version}`), asset);
    assert.ok(!asset.includes(version), asset);
  }
});

Deno.test("a stranger learns the version from no call, refusal or header", async () => {
  const calls = ["/health", "/api/openapi.json", "/api/none", "/api/resources/", "/api/settings"];
  for (const path of [...calls, `/api/public/share/${hash}`, "/%zz", "/favicon.ico"]) {
    assert.ok(!(await read(path)).includes(version), path);
  }
});

Deno.test("a session that ended tells the version no more", async () => {
  const { token: ended } = await app.addUser("bea");
  const cookie = `auth=${ended}`;
  assert.ok((await read("/files/", { cookie })).includes(version));
  await app.call("POST", "/api/logout", { token: ended });
  for (const path of pages) assert.ok(!(await read(path, { cookie })).includes(version), path);
});

Deno.test("a signed-in user is told the version", async () => {
  const cookie = `auth=${token}`;
  for (const path of ["/files/", "/settings/profile"]) {
    assert.ok((await read(path, { cookie })).includes(version), path);
  }
});
