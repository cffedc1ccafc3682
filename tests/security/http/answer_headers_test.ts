import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";

const app = await startApp({
  tree: { "page.html": "<script>", folder: { "a.txt": "a" } },
});
/** Whose reservations of memory can be seen. */
const near = await startApp({ inProcess: true, tree: { "long.txt": "long ".repeat(50_000) } });
Deno.test.afterAll(async () => {
  await near.close();
  await app.close();
});
const token = await app.tokenOf("admin");

/** The headers of every answer, to the letter. */
const always = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

const noPage = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Requests and their statuses, at each segment of the routes and outside of them. */
const requests: [method: string, path: string, status: number][] = [
  ["GET", "/health", 200],
  ["HEAD", "/health", 200],
  ["OPTIONS", "/health", 204],
  ["POST", "/health", 405],
  ["GET", "/api/resources/folder/", 200],
  ["HEAD", "/api/resources/folder/", 200],
  ["OPTIONS", "/api/resources/folder/", 204],
  ["PROPFIND", "/api/resources/folder/", 405],
  ["GET", "/api/resources/none", 404],
  ["GET", "/api/resources/folder/none", 404],
  ["GET", "/api/preview/thumb/folder/a.txt", 501],
  ["GET", "/api/preview/none/folder/a.txt", 404],
  ["GET", "/api/preview", 404],
  ["GET", "/api/none", 404],
  ["HEAD", "/api/none", 404],
  ["OPTIONS", "/api/none", 404],
  ["GET", "/api", 404],
  ["GET", "/%zz", 400],
  ["GET", "/api/resources/%zz", 400],
];

for (const [method, path, status] of requests) {
  Deno.test(`${method} ${path} has each security header to the letter`, async () => {
    const answer = await app.call(method, path, { token });
    const body = await answer.text();
    assert.equal(answer.status, status, body);
    const policy = { "content-security-policy": noPage };
    for (const [name, value] of Object.entries({ ...always, ...policy })) {
      assert.equal(answer.headers.get(name), value, name);
    }
    if (method === "HEAD") assert.equal(body, "");
  });
}

Deno.test("a file keeps its sandbox, and a page its nonce, among the security headers", async () => {
  const file = await app.call("GET", "/api/raw/page.html?inline=true", { token });
  const page = await app.call("GET", "/login", { headers: { accept: "text/html" } });
  const policies = [file, page].map(({ headers }) => headers.get("content-security-policy"));
  const [ofFile = null, ofPage = null] = policies;
  await file.text();
  const [, nonce] = / nonce="([^"]+)"/.exec(await page.text()) ?? [];
  assert.match(ofFile ?? "", /^sandbox; /);
  assert.ok(nonce && ofPage?.includes(`'nonce-${nonce}'`), `${ofPage}`);
  for (const [name, value] of Object.entries(always)) {
    assert.deepEqual([file, page].map(({ headers }) => headers.get(name)), [value, value], name);
  }
});

Deno.test("a page that reserves memory for its data keeps the nonce of its scripts", async () => {
  const token = await near.tokenOf("admin");
  const { hash } = await (await near.call("POST", "/api/share/long.txt", { token })).json();
  const reservations = Promise.withResolvers<void>();
  const { queue } = near.cubby.heavy;
  const acquire = queue.tryAcquire.bind(queue);
  queue.tryAcquire = (owner, cost) => {
    reservations.resolve();
    return acquire(owner, cost);
  };
  const page = await near.call("GET", `/share/${hash}`);
  queue.tryAcquire = acquire;
  await reservations.promise;
  const policy = page.headers.get("content-security-policy") ?? "";
  const nonces = [...(await page.text()).matchAll(/<(?:script|style)[^>]* nonce="([^"]+)"/g)];
  assert.ok(nonces.length > 0);
  for (const [, nonce] of nonces) assert.ok(policy.includes(`'nonce-${nonce}'`), policy);
});
