import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { type RawAnswer, sendRaw } from "../../support/clients/raw_http.ts";
import { assertSecured } from "../../support/server/secured.ts";

const app = await startApp({ tree: { "a.txt": "one" } });
Deno.test.afterAll(app.close);
const listener = app.listen();
const token = await app.tokenOf("admin");

function ask(method: string, path: string, ...headers: string[]): Promise<RawAnswer> {
  const lines = [`${method} ${path} HTTP/1.1`, "host: cubby.test", ...headers, "connection: close"];
  return sendRaw(listener, lines.join("\r\n") + "\r\n\r\n");
}

const escapes = ["%", "%2", "%zz", "%ff", "%c0%af", "%ed%a0%80", "%u0041", "%%", "%e4"];

Deno.test("a malformed escape is refused on pages, files, calls and where nothing is", async () => {
  const places = [
    "/",
    "/files/",
    "/login",
    "/share/",
    "/settings/users/",
    "/branding/",
    "/none/",
    "/favicon.svg",
    "/styles.css",
    "/_fresh/js/",
    "/api/",
    "/api/resources/",
    "/api/raw/",
    "/api/users/",
    "/api/public/dl/",
    "/api/preview/thumb/",
    "/api/command/",
    "/health",
  ];
  for (const place of places) {
    for (const escape of escapes) {
      for (const method of ["GET", "DELETE", "OPTIONS", "BREW"]) {
        const told = `${method} ${place}${escape}`;
        const answer = await ask(method, place + escape, `x-auth: ${token}`);
        assert.equal(answer.status, 400, `${told} ${answer.body}`);
        assert.match(answer.body, /^Cannot [^\n]*\n?$/, told);
        assertSecured(answer.headers, told);
      }
    }
  }
});

Deno.test("a malformed escape in the query is for the call to judge", async () => {
  assert.equal((await ask("GET", "/login?redirect=%zz")).status, 200);
  assert.equal((await ask("GET", "/health?%")).status, 200);
});

Deno.test("a refusal before any route has the shape of the API for whoever asks for it", async () => {
  const answer = await ask("GET", "/none/%zz", "accept: application/json");
  assert.equal(answer.status, 400);
  assert.equal(JSON.parse(answer.body).code, "invalid_path");
  assert.equal((await ask("HEAD", "/none/%zz")).body, "");
});

const methods = ["BREW", "PROPFIND", "PURGE", "TRACE", "TRACK", "get", "constructor", "__proto__"];

Deno.test("a method that no route has is refused everywhere, with those that are allowed", async () => {
  const allowed: Record<string, string> = {
    "/health": "GET, HEAD, OPTIONS",
    "/api/resources/a.txt": "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
    "/api/login": "OPTIONS, POST",
    "/login": "GET, HEAD",
    "/files/": "GET, HEAD",
    "/share/x": "GET, HEAD, POST",
    "/favicon.svg": "GET, HEAD",
    "/none": "GET, HEAD",
  };
  for (const [path, allow] of Object.entries(allowed)) {
    for (const method of methods) {
      for (const headers of [[], [`x-auth: ${token}`]]) {
        const told = `${method} ${path}`;
        const answer = await ask(method, path, ...headers);
        assert.equal(answer.status, 405, `${told} ${answer.body}`);
        assert.equal(answer.headers.get("allow"), allow, told);
        assert.match(answer.body, /^Cannot [^\n]*\n?$/, told);
        assertSecured(answer.headers, told);
      }
    }
  }
  assert.equal(await Deno.readTextFile(`${app.root}/a.txt`), "one");
});

Deno.test("a call that does not exist is 404 by any method", async () => {
  for (const method of methods) {
    const answer = await ask(method, "/api/none");
    assert.equal(answer.status, 404, method);
    assertSecured(answer.headers, method);
  }
});

Deno.test("every refused request leaves one line in the log, as it was asked", async () => {
  await ask("BREW", "/health?auth=secret");
  await ask("GET", "/log-%zz?auth=secret");
  let logged: string[] = [];
  const isComplete = () =>
    ["405 BREW /health", "400 GET /log-%zz"].every((line) => logged.includes(line));
  for (const end = Date.now() + 30_000; !isComplete() && Date.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    logged = app.log.requests.map(({ status, method, path }) => `${status} ${method} ${path}`);
  }
  assert.ok(isComplete(), logged.slice(-3).join());
  assert.ok(!logged.includes("204 OPTIONS /health"), "the question to the route is no request");
  assert.doesNotMatch(logged.join(), /secret/);
});
