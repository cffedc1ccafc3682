import assert from "node:assert/strict";
import { delay } from "../../../lib/shared/delay.ts";
import { isStoreAway, Reach, unlessAway } from "../../../lib/server/kv/reach.ts";

const states: boolean[] = [];
const open = () => {
  states.length = 0;
  return new Reach((isAway) => void states.push(isAway));
};
const away = (work: Promise<unknown>) => assert.rejects(work, (error) => isStoreAway(error));

Deno.test("Reach refuses a call without an answer, those beside it, and further ones at once", async () => {
  const reach = open();
  const answer = Promise.withResolvers<string>();
  const [slow, patient] = [
    reach.run(() => answer.promise, 20),
    reach.run(() => answer.promise, 60_000),
  ];
  await Promise.all([away(slow), away(patient)]);
  let isAsked = false;
  await away(reach.run(() => Promise.resolve(isAsked = true), 20));
  assert.ok(!isAsked);
  assert.deepEqual(states, [true]);
  assert.equal(
    await unlessAway(() => reach.run(() => Promise.resolve("read"), 20), "else"),
    "else",
  );
  // The late answer tells that it is back.
  answer.resolve("late");
  await answer.promise;
  await delay(0);
  assert.equal(await reach.run(() => Promise.resolve("read"), 20), "read");
  assert.deepEqual(states, [true, false]);
});

Deno.test("Reach tells a server that does not work from a call that is wrong", async () => {
  const wrong = new TypeError("Value too large (max 65536 bytes)");
  const refused = new Error("KV Connect failed to call 'x' (status=400 Bad Request): too long");
  for (const error of [wrong, refused]) {
    const reach = open();
    await assert.rejects(reach.run(() => Promise.reject(error), 20), error);
    assert.deepEqual(states, []);
  }
  for (const text of ["(status=401 Unauthorized): Invalid access token.", "Database is closed"]) {
    await away(open().run(() => Promise.reject(new Error(text)), 20));
    assert.deepEqual(states, [true]);
  }
});

Deno.test("Reach takes an answer that came while the thread was busy", async () => {
  const reach = open();
  const came = reach.run(async () => {
    await delay(5);
    return "came";
  }, 10);
  for (const end = performance.now() + 60; performance.now() < end;);
  assert.equal(await came, "came");
  assert.deepEqual(states, []);
});
