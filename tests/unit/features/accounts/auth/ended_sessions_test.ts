import assert from "node:assert/strict";
import { serveThread } from "../../../../../lib/server/core/concurrency/thread_channel.ts";
import { startWorker } from "../../../../../lib/server/core/concurrency/start_worker.ts";
import { EndedSessions } from "../../../../../lib/server/features/accounts/auth/ended_sessions.ts";
import { delay } from "../../../../../lib/shared/delay.ts";
import { loseMessages } from "../../../../support/run/lost_messages.ts";
import type { Task } from "./ended_sessions_worker.ts";

/** Waits until something is so. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !await isSo(); await delay(20)) {
    assert.ok(Date.now() < end, "not so in time");
  }
}

function thread(root: string) {
  const ended = new EndedSessions(root);
  return Object.assign(ended, { [Symbol.dispose]: () => ended.close() });
}

async function endUnheard(ended: EndedSessions, sid: string): Promise<void> {
  using _lost = loseMessages();
  ended.add(sid);
  await Promise.resolve();
}

Deno.test("an ended session whose message was lost has ended in the other thread a second later", async () => {
  using _serving = serveThread();
  const root = crypto.randomUUID();
  using here = thread(root);
  using there = thread(root);
  await endUnheard(here, "one");
  await endUnheard(here, "two");
  assert.equal(there.has("one"), false);
  await until(() => there.has("one") && there.has("two"));
  here.add("three");
  await until(() => there.has("three"));
});

Deno.test("a thread that starts later knows the sessions that ended before", async () => {
  using _serving = serveThread();
  const root = crypto.randomUUID();
  using here = thread(root);
  here.add("one");
  await Promise.resolve();
  using late = thread(root);
  await until(() => late.has("one"));
});

Deno.test("a session ends in a thread that was busy while a thousand messages came", async () => {
  using _serving = serveThread();
  const root = crypto.randomUUID();
  using here = thread(root);
  const script = new URL("./ended_sessions_worker.ts", import.meta.url);
  let answer = Promise.withResolvers<string>();
  const worker = startWorker<string>(script, "busy", {
    onMessage: (message) => answer.resolve(message),
    onError: (message) => answer.reject(new Error(message)),
  });
  const ask = async (task: Task) => {
    answer = Promise.withResolvers();
    worker.post(task);
    return await answer.promise;
  };
  const other = new BroadcastChannel(crypto.randomUUID());
  try {
    assert.equal(await ask({ root }), "ready");
    assert.equal(await ask({ busyMs: 1_500 }), "busy");
    here.add("one");
    await Promise.resolve();
    for (let count = 0; count < 1_000; count++) other.postMessage(count);
    await until(async () => await ask({ sid: "one" }) === "ended");
  } finally {
    other.close();
    worker.end();
  }
});
