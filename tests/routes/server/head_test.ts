/** HEAD over a connection: Deno adds the length there, and must add none that is not GET's. */
import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";

const app = await startApp({
  inProcess: true,
  tree: { few: { "a.txt": "a" }, many: Object.fromEntries(names(2_000)) },
});
Deno.test.afterAll(app.close);
const { url } = app.listen();
const headers = { "x-auth": await app.tokenOf("admin"), "accept-encoding": "identity" };

function names(count: number): [string, string][] {
  return Array.from({ length: count }, (_, index) => [`file-${index}.txt`, ""]);
}

/** What GET answers, refusals first, and whether its length is known before the end. */
const addresses: [path: string, status: number, hasLength: boolean][] = [
  ["/api/resources/none", 404, false],
  ["/api/nothing", 404, false],
  ["/nothing", 404, false],
  ["/api/raw/x%zz", 400, false],
  ["/api/resources/few/", 200, false],
  ["/api/resources/many/", 200, true],
  ["/api/search/?query=file", 200, false],
  ["/api/resources/few/a.txt", 200, false],
  ["/api/settings", 200, false],
  ["/health", 200, false],
  ["/login", 200, false],
  ["/api/raw/few/a.txt", 200, true],
  ["/api/raw/few/", 200, true],
  ["/api/raw/few/?algo=tar", 200, false],
];

for (const [path, status, hasLength] of addresses) {
  Deno.test(`HEAD ${path} has the length of GET, or none`, async () => {
    const signed = path === "/login" ? {} : headers;
    const got = await fetch(url + path, { headers: signed });
    const { length } = await got.bytes();
    assert.equal(got.status, status);
    const head = await fetch(url + path, { method: "HEAD", headers: signed });
    assert.deepEqual([head.status, (await head.bytes()).length], [status, 0]);
    const told = head.headers.get("content-length");
    assert.ok(told === String(length) || told === null && !hasLength, `${told}, not ${length}`);
  });
}

Deno.test("a connection goes on after HEAD without a length", async () => {
  const { hostname, port } = new URL(url);
  using socket = await Deno.connect({ hostname, port: Number(port) });
  const request = (method: string, more = "") =>
    `${method} /api/resources/few/a.txt HTTP/1.1\r\nhost: cubby.test\r\nx-auth: ${
      headers["x-auth"]
    }\r\n${more}\r\n`;
  const sent = request("HEAD") + request("GET", "connection: close\r\n");
  await socket.write(new TextEncoder().encode(sent));
  const text = await new Response(socket.readable).text();
  const [first = "", second = ""] = text.split(/(?=HTTP\/1\.1 )/);
  assert.match(first, /^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)+\r\n$/);
  assert.doesNotMatch(first, /content-length|transfer-encoding/i);
  assert.match(second, /^HTTP\/1\.1 200 OK\r\n[^]*"name":"a\.txt"/);
});
