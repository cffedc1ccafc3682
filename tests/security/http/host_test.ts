import assert from "node:assert/strict";
import { connect } from "node:http2";
import { startApp } from "../../support/server/app.ts";
import { type RawAnswer, sendRaw } from "../../support/clients/raw_http.ts";
import { assertSecured } from "../../support/server/secured.ts";

const app = await startApp({ tree: { "p.png": "kept", "a.txt": "one" } });
Deno.test.afterAll(app.close);
const listener = app.listen();
const token = await app.tokenOf("admin");

/** Sends a request line and headers as they are written. */
function ask(requestLine: string, ...headers: string[]): Promise<RawAnswer> {
  const lines = [requestLine, ...headers, `x-auth: ${token}`, "connection: close"];
  return sendRaw(listener, lines.join("\r\n") + "\r\n\r\n");
}

/** Asserts that a request was refused by the application, and that nothing of it was done. */
async function assertMalformed(answer: RawAnswer, told: string): Promise<void> {
  assert.equal(answer.status, 400, `${told} ${answer.body}`);
  assert.match(answer.body, /^Cannot [^\n]*\n?$/, `${told} tells one sentence`);
  assertSecured(answer.headers, told);
  assert.equal(await Deno.readTextFile(`${app.root}/p.png`), "kept", told);
}

/** A path, a query or user info in the place of the host, and hosts and ports that are none. */
const hosts = [
  "x/api/resources/p.png?",
  "x/api/resources/p.png#",
  "x/api/resources/p.png",
  "x\\api\\resources\\p.png?",
  "a@x/api/resources/p.png?",
  "[::1]/api/resources/p.png?",
  "x:80/api/resources/p.png?",
  "",
  "?",
  "#",
  "/",
  "@",
  ":",
  ":80",
  "a b",
  "a\tb",
  "a@b",
  "a:b@c",
  "a?",
  "a#",
  "a\\b",
  "a,b",
  "a, a",
  "http://a",
  "%41",
  "a%2fb",
  "\u00e4",
  "..",
  ".a",
  "a..b",
  "a:",
  "a:b",
  "a:-1",
  "a:+1",
  "a:65536",
  "a:99999",
  "a:100000",
  "a:80:80",
  "a:8 0",
  "::1",
  "[::1",
  "::1]",
  "[]",
  "[::1]a",
  "[::1]:",
  "[::1]:x",
  "[g::1]",
  "[::1%25eth0]",
  "[1.2.3.4]",
  "256.1.1.1",
  "1.2.3.4.5",
  "xn--a",
  "a<b",
  "a>b",
  'a"b',
  "a'b",
  "a`b",
  "a;b",
  "a=b",
  "a*b",
  "a|b",
  "a^b",
  "a{b}",
];

Deno.test("a path in the Host header deletes no file, whatever the request line says", async () => {
  for (const host of hosts) {
    for (const method of ["DELETE", "GET"]) {
      await assertMalformed(await ask(`${method} /health HTTP/1.1`, `host: ${host}`), host);
    }
  }
});

Deno.test("a Host header that is none is refused on every kind of address", async () => {
  const paths = [
    "/",
    "/login",
    "/favicon.svg",
    "/api/resources/",
    "/api/none",
    "/none",
    "/_fresh/x",
  ];
  for (const path of paths) {
    for (const host of ["x/login?", "a b", "u@x"]) {
      const told = `${path} ${host}`;
      await assertMalformed(await ask(`GET ${path} HTTP/1.1`, `host: ${host}`), told);
    }
  }
});

Deno.test("a malformed Host header is refused in absolute form and without a version of 1.1", async () => {
  for (const host of ["x/api/resources/p.png?", "a b", ""]) {
    const absolute = await ask("DELETE http://x/health HTTP/1.1", `host: ${host}`);
    await assertMalformed(absolute, `absolute ${host}`);
    await assertMalformed(await ask("DELETE /health HTTP/1.0", `host: ${host}`), `1.0 ${host}`);
  }
});

Deno.test("two Host headers are refused, in either order", async () => {
  const pair = ["host: cubby.test", "host: x/api/resources/p.png?"];
  for (const lines of [pair, pair.toReversed(), ["host: a", "host: a"]]) {
    assert.equal((await ask("DELETE /health HTTP/1.1", ...lines)).status, 400, lines.join());
  }
  assert.equal(await Deno.readTextFile(`${app.root}/p.png`), "kept");
});

Deno.test("an address in absolute form with user info or another scheme is refused", async () => {
  const targets = [
    "http://u@x/api/resources/p.png",
    "http://u:p@x/api/resources/p.png",
    "http://x\\api\\resources\\p.png?/health",
    "http://x:99999/api/resources/p.png",
    "http://..../api/resources/p.png",
    "ftp://x/api/resources/p.png",
    "file://x/api/resources/p.png",
    "javascript://x/api/resources/p.png",
  ];
  for (const target of targets) {
    await assertMalformed(await ask(`DELETE ${target} HTTP/1.1`, "host: cubby.test"), target);
  }
});

Deno.test("what the URL parser reads as a slash, or as the end of a path, is refused", async () => {
  const targets = [
    "/api\\resources\\p.png",
    "/api/resources/x\\..\\p.png",
    "/api/resources/p.png#",
  ];
  for (const target of targets) {
    await assertMalformed(await ask(`DELETE ${target} HTTP/1.1`, "host: cubby.test"), target);
  }
});

Deno.test("CONNECT, and the asterisk, reach no file and no page", async () => {
  for (const line of ["CONNECT x:80", "CONNECT x", "TRACE /health"]) {
    const answer = await ask(`${line} HTTP/1.1`, "host: cubby.test");
    assert.equal(answer.status, 405, line);
    assertSecured(answer.headers, line);
  }
  assert.equal((await ask("DELETE * HTTP/1.1", "host: cubby.test")).status, 400);
  const asterisk = await ask("OPTIONS * HTTP/1.1", "host: cubby.test");
  assert.ok([204, 404].includes(asterisk.status), `${asterisk.status}`);
  assertSecured(asterisk.headers, "*");
});

Deno.test("the host of an HTTP/2 request decides about no path either", async () => {
  const bad: Record<string, string>[] = [
    { ":authority": "x", host: "x/api/resources/p.png?" },
    { host: "x/api/resources/p.png?" },
    { ":authority": "u@x" },
    { ":authority": "x", ":path": "*" },
  ];
  for (const pseudo of bad) {
    const { status, headers } = await askH2({ ":method": "DELETE", ":path": "/health", ...pseudo });
    assert.equal(status, 400, JSON.stringify(pseudo));
    assertSecured(headers, JSON.stringify(pseudo));
  }
  assert.equal(await Deno.readTextFile(`${app.root}/p.png`), "kept");
  assert.equal((await askH2({ ":path": "/health", ":authority": "x:8080" })).status, 200);
});

Deno.test("a host, with a port or without, is answered, and the path is the request line's", async () => {
  const good = [
    "cubby.test",
    "cubby.test.",
    "CUBBY",
    "my_container:8080",
    "a-b.example:0",
    "localhost:65535",
    "192.168.0.1",
    "192.168.0.1:080",
    "[::1]",
    "[2001:DB8::1]:8443",
    "[::ffff:1.2.3.4]",
    "xn--mnchen-3ya.example",
  ];
  for (const host of good) {
    assert.equal((await ask("GET /health HTTP/1.1", `host: ${host}`)).status, 200, host);
    const absolute = await ask(`GET http://${host}/health HTTP/1.1`, "host: other.test");
    assert.equal(absolute.status, 200, host);
  }
  assert.equal((await ask("GET /health HTTP/1.0")).status, 200);
  const file = await ask("GET /api/raw/a.txt?inline=true HTTP/1.1", "host: cubby.test:80");
  assert.equal(`${file.status} ${file.body}`, "200 one");
});

interface Http2Answer {
  status: number;
  headers: Headers;
}

function askH2(headers: Record<string, string>): Promise<Http2Answer> {
  const session = connect(`http://${listener.hostname}:${listener.port}`);
  const { promise, resolve, reject } = Promise.withResolvers<Http2Answer>();
  session.on("error", reject);
  const stream = session.request({ ":scheme": "http", "x-auth": token, ...headers });
  stream.on("error", reject);
  stream.on("response", (received) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(received)) {
      if (!name.startsWith(":")) headers.set(name, String(value));
    }
    resolve({ status: Number(received[":status"]), headers });
  });
  stream.resume();
  stream.end();
  return promise.finally(() => session.destroy());
}
