import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";

const app = await startApp();
Deno.test.afterAll(app.close);

Deno.test("health refuses to be written to", async () => {
  const answer = await app.call("POST", "/health");
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get("allow"), "GET, HEAD, OPTIONS");
  await answer.body?.cancel();
});

Deno.test("health says OK without a token", async () => {
  const answer = await app.call("GET", "/health");
  assert.equal(answer.status, 200);
  assert.equal(await answer.text(), '{"status":"OK"}');
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal((await app.call("HEAD", "/health")).status, 200);
});
