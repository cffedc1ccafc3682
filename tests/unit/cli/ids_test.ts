import assert from "node:assert/strict";
import { readGiven } from "../../../lib/server/cli/flags.ts";
import { randomId } from "../../../lib/server/kv/random_id.ts";
import { startApp } from "../../support/server/app.ts";

/** Runs a test in which the first random bytes of each two calls spell a hyphen. */
async function withWorstBytes(test: () => unknown): Promise<void> {
  const original = crypto.getRandomValues;
  let calls = 0;
  crypto.getRandomValues = (array) => {
    original.call(crypto, array);
    if (array instanceof Uint8Array && calls++ % 2 === 0) array[0] = 0xfb;
    return array;
  };
  try {
    await test();
  } finally {
    crypto.getRandomValues = original;
  }
}

Deno.test("a random id never begins as a flag does", async () => {
  await withWorstBytes(() => {
    for (let time = 0; time < 100; time++) assert.match(randomId(12), /^\w[\w-]{15}$/);
  });
});

Deno.test("no id that can be named on the command line begins with a hyphen", async () => {
  await using app = await startApp({ inProcess: true, tree: { docs: {} } });
  const { token } = await app.addUser("anna");
  const { apiTokens, invites, sessions, users } = app.cubby;
  const anna = await users.byName("anna");
  assert.ok(anna);
  await withWorstBytes(async () => {
    const share = await app.call("POST", "/api/share/docs", { token, json: {} });
    const request = await app.call("POST", "/api/request/docs", { token, json: {} });
    for (const answer of [share, request]) assert.match((await answer.json()).hash, /^\w/);
    await app.tokenOf("anna");
    for (const { sid } of await sessions.list(anna.id)) assert.match(sid, /^\w/);
  });
  // Digests: of 300 some would begin with one.
  const maker = { user: null, by: "admin", byId: null, hours: 1, username: null };
  for (let time = 0; time < 90; time++) {
    const draft = { name: "t", write: false, share: false, expires: null };
    assert.match((await apiTokens.create(anna.id, draft, null)).token.id, /^\w/);
    for (let each = 0; each < 3; each++) {
      assert.match((await invites.create(maker)).invite.id, /^\w/);
    }
  }
});

Deno.test("an id of an older version that begins with a hyphen is no flag", () => {
  const ids = ["-8dpG38_wq5NqHpV", "-rbGQ2iLlBEo1bvjnZDqzA", `-${"a".repeat(42)}`];
  for (const id of ids) assert.deepEqual(readGiven([id], []).words, [id]);
  const twice = "--dpG38_wq5NqHpV";
  assert.deepEqual(readGiven(["--", twice], []).words, [twice]);
  for (const flag of ["-x", "-password", "--no-such-flag", "-scope=/a", twice]) {
    assert.throws(() => readGiven([flag], []), /no such flag/, flag);
  }
});
