import assert from "node:assert/strict";
import { Api } from "../../../../../lib/client/base/api/api.ts";
import { Connection } from "../../../../../lib/client/base/api/connection.ts";
import { ROOT } from "../../../../../lib/shared/path.ts";
import { Session } from "../../../../../lib/client/base/session/session.ts";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { ada, folderOf, speakTo, tokenFor, until } from "../../support.ts";

/** A server that is there or not, and how often it was asked. */
function server(answers: boolean[]) {
  const state = { asked: 0 };
  const window = new EventTarget();
  const reaches = () => {
    state.asked++;
    return Promise.resolve(answers.shift() ?? true);
  };
  return { state, window, connection: new Connection(reaches, window) };
}

Deno.test("a connection asks for nothing while calls are answered", () => {
  const { state, connection } = server([]);
  for (const status of [200, 401, 404, 409, 500, 507]) connection.observeStatus(status);
  assert.equal(state.asked, 0);
  assert.equal(connection.isLost.value, false);
});

Deno.test("a single call that breaks off is no lost connection", async () => {
  const { state, connection } = server([true]);
  connection.observeStatus(0);
  assert.ok(await connection.back());
  assert.equal(connection.isLost.value, false);
  assert.equal(state.asked, 1);
});

Deno.test("a lost connection is tried until it is back, by one however many calls fail", async () => {
  const { state, connection } = server([false, false, true]);
  for (const status of [0, 502, 503, 504]) connection.observeStatus(status);
  await until(() => connection.isLost.value);
  assert.equal(state.asked, 1);
  assert.ok(await connection.back());
  assert.equal(connection.isLost.value, false);
  assert.equal(state.asked, 3);
});

Deno.test("a lost connection is tried at once when the network comes back", async () => {
  const { state, window, connection } = server([false, false, false, false, true]);
  window.dispatchEvent(new Event("offline"));
  while (connection.isLost.value || state.asked < 5) {
    window.dispatchEvent(new Event("online"));
    await Promise.resolve();
  }
  assert.equal(state.asked, 5);
});

Deno.test("who waits for a connection can give up", async () => {
  const { connection } = server([false, true]);
  const gaveUp = new AbortController();
  const waiting = connection.back(gaveUp.signal);
  await until(() => connection.isLost.value);
  gaveUp.abort();
  assert.equal(await waiting, false);
  assert.ok(await connection.back());
});

Deno.test("a call that finds the session expired is made again after signing in, and only then", async () => {
  let good = tokenFor(ada);
  await using spoken = speakTo(({ headers, query }) =>
    headers.get("x-auth") === good
      ? Response.json(folderOf(["a"], query))
      : new Response(null, { status: 401 })
  );
  const session = new Session({ storage: memoryStorage(), user: ada });
  session.keep(tokenFor(ada));
  const baseUrl = spoken.api.rawAddress(ROOT).replace(/\/api\/.*/, "");
  const api = new Api({ baseUrl, session, resumes: true });
  good = tokenFor(ada, 1, "s2");
  const call = api.resource(ROOT, { offset: 0, limit: 50 });
  await until(() => session.ended.value === "expired");
  const givenUp = new AbortController();
  const other = api.resource(ROOT, { offset: 0, limit: 50, signal: givenUp.signal });
  await until(() => spoken.heard.length === 2);
  givenUp.abort();
  assert.equal((await other).ok, false);
  session.keep(good);
  assert.equal((await call).ok, true);
  assert.equal(spoken.heard.length, 3);
});
