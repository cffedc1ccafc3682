import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ tree: { "a.txt": "one" } });
const based = await startApp({ config: { baseUrl: "/files" }, tree: { "a.txt": "one" } });
Deno.test.afterAll(app.close);
Deno.test.afterAll(based.close);

Deno.test("an unknown call is 404, with and without a token, as JSON and as a sentence", async () => {
  const token = await app.tokenOf("admin");
  for (const path of ["/api", "/api/", "/api/nothing", "/api/resourcesx/", "/api/login/x"]) {
    await assertRefused(await app.call("GET", path, { token }), 404, "not_found", path);
    await assertRefused(await app.call("POST", path), 404, "not_found", path);
  }
  const answer = await app.call("GET", "/api/nothing", { headers: { accept: "*/*" } });
  assert.equal(answer.status, 404);
  assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(await answer.text(), "Cannot answer the request: not found\n");
});

Deno.test("every answer of the API is kept by nobody and carries the security headers", async () => {
  const token = await app.tokenOf("admin");
  const answers = [
    await app.call("GET", "/api/resources/", { token }),
    await app.call("GET", "/api/resources/none", { token }),
    await app.call("GET", "/api/nothing", { token }),
    await app.call("PATCH", "/api/resources/a.txt", { token }),
    await app.call("GET", "/api/usage/"),
    await app.call("POST", "/api/login", { headers: { "sec-fetch-site": "cross-site" } }),
  ];
  for (const answer of answers) {
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.match(answer.headers.get("content-security-policy") ?? "", /^default-src 'none'/);
    await answer.body?.cancel();
  }
});

Deno.test("all calls lie below the base URL, and nowhere else", async () => {
  const token = await based.tokenOf("admin");
  await assertStatus(await based.call("GET", "/api/resources/a.txt", { token }), 404);
  await assertRefused(await based.call("GET", "/files/api/none", { token }), 404, "not_found");
  await assertRefused(await based.call("GET", "/files/api/resources/"), 401, "not_signed_in");

  const described = await based.call("GET", "/files/api/resources/a.txt", { token });
  assert.equal((await described.json()).path, "/a.txt");
  const content = await based.call("GET", "/files/api/raw/a.txt", { token });
  assert.equal(await content.text(), "one");
  await assertStatus(await based.call("GET", "/files/health"), 200);
});
