import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: { "a.txt": "0123456789", folder: { "b.txt": "1" }, "page.html": "<p>" },
});
const { url } = app.listen();
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string, headers?: Record<string, string>) =>
  app.call("GET", `/api/raw${path}`, { token, headers });

Deno.test("raw refuses what is not there, and what may not be downloaded", async () => {
  await assertRefused(await get("/none.txt"), 404, "not_found");
  const { token: weak } = await app.addUser("quin", { perm: { download: false } });
  for (const path of ["/a.txt", "/none.txt"]) {
    const answer = await app.call("GET", `/api/raw${path}`, { token: weak });
    await assertRefused(answer, 403, "forbidden", path);
    assert.equal((await app.call("HEAD", `/api/raw${path}`, { token: weak })).status, 403);
  }
});

Deno.test("raw refuses a range past the end with the size", async () => {
  const answer = await get("/a.txt", { range: "bytes=10-20" });
  assert.equal(answer.headers.get("content-range"), "bytes */10");
  await assertRefused(answer, 416, "range_not_satisfiable");
});

Deno.test("raw sends a file to be saved, private and sandboxed", async () => {
  const answer = await get("/a.txt");
  assert.equal(answer.status, 200);
  assert.equal(await answer.text(), "0123456789");
  const { headers } = answer;
  assert.equal(headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(
    headers.get("content-disposition"),
    `attachment; filename="a.txt"; filename*=UTF-8''a.txt`,
  );
  assert.match(headers.get("cache-control") ?? "", /^private/);
  assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.ok(headers.get("last-modified"));
});

Deno.test("raw shows a file in place with inline=true", async () => {
  const answer = await get("/page.html?inline=true");
  assert.match(answer.headers.get("content-disposition") ?? "", /^inline; /);
  assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(answer.headers.get("content-security-policy") ?? "", /^sandbox; /);
  await answer.body?.cancel();
});

Deno.test("raw sends ranges over a real connection", async () => {
  const ask = (range: string, more: Record<string, string> = {}) =>
    fetch(`${url}/api/raw/a.txt`, { headers: { "x-auth": token, range, ...more } });
  const one = await ask("bytes=2-4");
  assert.equal(one.status, 206);
  assert.equal(one.headers.get("content-range"), "bytes 2-4/10");
  assert.equal(await one.text(), "234");

  const two = await ask("bytes=0-0,-1");
  assert.match(two.headers.get("content-type") ?? "", /^multipart\/byteranges; boundary=/);
  assert.match(await two.text(), /0-0\/10\r\n\r\n0\r\n[^]*9-9\/10\r\n\r\n9\r\n/);

  const changed = await ask("bytes=2-4", { "if-range": '"other"' });
  assert.equal(changed.status, 200);
  assert.equal(await changed.text(), "0123456789");
});

Deno.test("raw answers a conditional GET, and HEAD with the length", async () => {
  const head = await app.call("HEAD", "/api/raw/a.txt", { token });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get("content-length"), "10");
  assert.equal(await head.text(), "");
  const etag = head.headers.get("etag") ?? "";
  assert.equal((await get("/a.txt", { "if-none-match": etag })).status, 304);
  await assertStatus(await get("/a.txt", { "if-match": '"other"' }), 412);
});
