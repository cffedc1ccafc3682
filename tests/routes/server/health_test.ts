import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";

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

Deno.test("readiness refuses to be written to", async () => {
  const answer = await app.call("POST", "/health/ready");
  assert.equal(answer.status, 405);
  await answer.body?.cancel();
});

Deno.test("readiness says OK without a token, and 503 while the root is another folder", async () => {
  const ready = async () => {
    const answer = await app.call("GET", "/health/ready");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    return [answer.status, await answer.text()];
  };
  assert.deepEqual(await ready(), [200, '{"status":"OK"}']);
  const { root } = app;
  Deno.renameSync(root, `${root}-away`);
  try {
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.deepEqual(await ready(), [503, '{"status":"unavailable"}']);
    Deno.mkdirSync(root);
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.deepEqual(await ready(), [503, '{"status":"unavailable"}']);
    Deno.removeSync(root);
  } finally {
    Deno.renameSync(`${root}-away`, root);
  }
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.deepEqual(await ready(), [200, '{"status":"OK"}']);
});

Deno.test("readiness says 503 while the store cannot be read; health says OK", async () => {
  const { store } = app.cubby;
  const { get } = store;
  store.get = () => Promise.reject(new Error("disk I/O error"));
  try {
    const answer = await app.call("GET", "/health/ready");
    assert.equal(answer.status, 503);
    assert.equal(await answer.text(), '{"status":"unavailable"}');
    const alive = await app.call("GET", "/health");
    assert.deepEqual([alive.status, await alive.text()], [200, '{"status":"OK"}']);
  } finally {
    store.get = get;
  }
  const again = await app.call("GET", "/health/ready");
  assert.deepEqual([again.status, await again.text()], [200, '{"status":"OK"}']);
});
