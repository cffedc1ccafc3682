/** The list of what others share with a user, as the budget of memory has it. */
import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp({ inProcess: true, tree: { "a.txt": "a" } });
Deno.test.afterAll(app.close);
const count = 40;

Deno.test("a long list of shares for a user is not read before there is memory for it", async () => {
  const owner = await app.addUser("owner");
  const friend = await app.addUser("friend");
  for (let done = 0; done < count; done++) {
    const json = { audience: ["friend"] };
    const shared = await app.call("POST", "/api/share/a.txt", { token: owner.token, json });
    assert.equal(shared.status, 200);
    await shared.body?.cancel();
  }
  const { queue, limits } = app.cubby.heavy;
  const caller = `user ${friend.user.id}`;
  const half = limits.maxBytes / 2;
  await queue.acquire(caller, half);
  const over = new AbortController();
  const waiting = Array.from({ length: limits.maxWaiting }, () => {
    return queue.acquire(caller, 1, over.signal).catch(() => {});
  });
  const list = () => app.call("GET", "/api/shared", { token: friend.token });
  await assertRefused(await list(), 503, "busy");
  over.abort();
  await Promise.all(waiting);
  queue.release(caller, half);
  const items = await (await list()).json();
  assert.equal(new Set(items.map(({ hash }: { hash: string }) => hash)).size, count);
  // All that the list has reserved was given back.
  await queue.acquire(caller, half);
  queue.release(caller, half);
});
