import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";

const app = await startApp({
  config: { baseUrl: "/base" },
  tree: { folder: { "a.txt": "one" } },
  islands: true,
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const cookie = `auth=${token}`;

/** The addresses of styles, scripts and icons on a page. */
async function assetsOf(path: string): Promise<string[]> {
  const answer = await app.call("GET", path, { headers: { accept: "text/html", cookie } });
  const html = await answer.text();
  assert.equal(answer.status, 200, path);
  const tags = (html.match(/<(?:link|script)\b[^>]*>/g) ?? []).filter((tag) =>
    !/rel="manifest"/.test(tag)
  );
  const inTags = tags.flatMap((tag) => /\b(?:href|src)="([^"]+)"/.exec(tag)?.[1] ?? []);
  const imported = [...html.matchAll(/\bfrom\s*"([./][^"]+)"/g)].flatMap(([, url]) => url ?? []);
  return [...inTags, ...imported].map((url) => url.replaceAll("&amp;", "&"));
}

Deno.test("below a base URL every page has its styles, scripts and icon there, to be kept", async () => {
  const share = await app.call("POST", "/base/api/share/folder", { token, json: {} });
  const { hash } = await share.json();
  const wanted: Record<string, RegExp[]> = {
    "/base/login?expired": [/\/styles\.css\?/, /\/favicon\.svg\?/, /\/_fresh\/js\//],
    "/base/files/": [/\/styles\.css\?/, /\/favicon\.svg\?/, /\/_fresh\/js\//],
    [`/base/share/${hash}/`]: [/\/styles\.css\?/, /\/favicon\.svg\?/, /\/share\.js\?/],
  };
  for (const [page, patterns] of Object.entries(wanted)) {
    const assets = await assetsOf(page);
    for (const pattern of patterns) {
      assert.ok(assets.some((url) => pattern.test(url)), `${pattern}`);
    }
    for (const url of assets) {
      assert.match(url, /^\/base\/(?!base\/)/, page);
      const answer = await app.call("GET", url);
      await answer.body?.cancel();
      assert.equal(answer.status, 200, url);
      assert.match(answer.headers.get("cache-control") ?? "", /immutable/, url);
    }
  }
});

Deno.test("above the base URL there is nothing", async () => {
  for (const path of ["/styles.css", "/favicon.svg", "/login", "/api/resources/", "/health"]) {
    const answer = await app.call("GET", path, { token });
    await answer.body?.cancel();
    assert.equal(answer.status, 404, path);
  }
});
