import assert from "node:assert/strict";
import { retryLocked } from "../../../../lib/server/core/kv/retry_locked.ts";

Deno.test("retryLocked() gives up with a clear error when the file stays locked", async () => {
  let tries = 0;
  const operation = () => {
    tries++;
    return Promise.reject(new TypeError("database is locked"));
  };
  await assert.rejects(
    retryLocked(operation, 60),
    /^Error: Cannot reach the store: another process/,
  );
  assert.ok(tries >= 3, `tried ${tries} times`);
});

Deno.test("retryLocked() passes every other error on at once", async () => {
  let tries = 0;
  const operation = () => {
    tries++;
    return Promise.reject(new TypeError("Value too large"));
  };
  await assert.rejects(retryLocked(operation), /Value too large/);
  assert.equal(tries, 1);
});

Deno.test("retryLocked() answers as soon as the file is free", async () => {
  let tries = 0;
  const operation = () =>
    ++tries < 4 ? Promise.reject(new Error("database is locked")) : Promise.resolve("there");
  assert.equal(await retryLocked(operation), "there");
  assert.equal(tries, 4);
});
