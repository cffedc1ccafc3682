import assert from "node:assert/strict";
import { delay } from "../../../../lib/shared/delay.ts";
import {
  CircuitBreaker,
  isStoreAway,
  orWhenUnavailable,
} from "../../../../lib/server/core/kv/circuit_breaker.ts";

const states: boolean[] = [];
const open = () => {
  states.length = 0;
  return new CircuitBreaker((isAway) => void states.push(isAway));
};
const away = (work: Promise<unknown>) => assert.rejects(work, (error) => isStoreAway(error));

Deno.test("CircuitBreaker refuses a call without an answer, those beside it, and further ones at once", async () => {
  const breaker = open();
  const answer = Promise.withResolvers<string>();
  const [slow, patient] = [
    breaker.run(() => answer.promise, 20),
    breaker.run(() => answer.promise, 60_000),
  ];
  await Promise.all([away(slow), away(patient)]);
  let isAsked = false;
  await away(breaker.run(() => Promise.resolve(isAsked = true), 20));
  assert.ok(!isAsked);
  assert.deepEqual(states, [true]);
  assert.equal(
    await orWhenUnavailable(() => breaker.run(() => Promise.resolve("read"), 20), "else"),
    "else",
  );
  // The late answer tells that it is back.
  answer.resolve("late");
  await answer.promise;
  await delay(0);
  assert.equal(await breaker.run(() => Promise.resolve("read"), 20), "read");
  assert.deepEqual(states, [true, false]);
});

Deno.test("CircuitBreaker tells a server that does not work from a call that is wrong", async () => {
  const wrong = new TypeError("Value too large (max 65536 bytes)");
  const refused = new Error("KV Connect failed to call 'x' (status=400 Bad Request): too long");
  for (const error of [wrong, refused]) {
    const breaker = open();
    await assert.rejects(breaker.run(() => Promise.reject(error), 20), error);
    assert.deepEqual(states, []);
  }
  for (const text of ["(status=401 Unauthorized): Invalid access token.", "Database is closed"]) {
    await away(open().run(() => Promise.reject(new Error(text)), 20));
    assert.deepEqual(states, [true]);
  }
});

Deno.test("CircuitBreaker takes an answer that came while the thread was busy", async () => {
  const breaker = open();
  const came = breaker.run(async () => {
    await delay(5);
    return "came";
  }, 10);
  for (const end = performance.now() + 60; performance.now() < end;);
  assert.equal(await came, "came");
  assert.deepEqual(states, []);
});

Deno.test("CircuitBreaker holds nothing of calls that are over", async () => {
  const breaker = open();
  const call = () => Promise.resolve();
  const before = Deno.memoryUsage().heapUsed;
  for (let count = 0; count < 200_000; count++) await breaker.run(call, 60_000);
  const grown = Deno.memoryUsage().heapUsed - before;
  assert.ok(grown < 100_000_000, `${grown} bytes`);
});
