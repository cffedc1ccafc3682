import assert from "node:assert/strict";
import { delay } from "../../../../lib/shared/delay.ts";
import {
  serveThread,
  ThreadChannel,
} from "../../../../lib/server/core/concurrency/thread_channel.ts";
import { loseMessages } from "../../../support/run/lost_messages.ts";

/** Two threads, what the second one has heard, and the seconds that pass. */
function together() {
  const { setInterval } = globalThis;
  let tick = () => {};
  Object.assign(globalThis, { setInterval: (run: () => void) => void (tick = run) });
  const serving = serveThread();
  const name = crypto.randomUUID();
  const heard: (number | "lost")[] = [];
  const sender = new ThreadChannel<number>(name, { take: () => {} });
  const listen = () =>
    new ThreadChannel<number>(name, {
      take: (message) => void heard.push(message),
      onLost: () => void heard.push("lost"),
    });
  const receiver = listen();
  return {
    ...{ heard, sender, listen },
    async lose(message: number) {
      using _lost = loseMessages();
      sender.post(message);
      await Promise.resolve();
    },
    /** What has come after the seconds. */
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second++) tick();
      await delay(50);
      return heard;
    },
    async hears(count: number) {
      for (const end = Date.now() + 10_000; heard.length < count; await delay(1)) {
        assert.ok(Date.now() < end, `heard ${heard.length}`);
      }
      return heard;
    },
    [Symbol.dispose]() {
      sender.close();
      receiver.close();
      serving[Symbol.dispose]();
      Object.assign(globalThis, { setInterval });
    },
  };
}

Deno.test("messages of a thread come in their order, and those of one moment by one", async () => {
  using pair = together();
  let count = 0;
  {
    using _counted = loseMessages(() => ++count > 1);
    for (let number = 1; number <= 1_000; number++) pair.sender.post(number);
    await Promise.resolve();
  }
  await pair.hears(1_000);
  assert.equal(count, 1);
  pair.sender.post(1_001);
  const all = Array.from({ length: 1_001 }, (_, index) => index + 1);
  assert.deepEqual(await pair.hears(1_001), all);
});

Deno.test("what is posted right before the end comes, and what is posted after it does not", async () => {
  using pair = together();
  pair.sender.post(1);
  pair.sender.close();
  pair.sender.post(2);
  await pair.hears(1);
  assert.deepEqual(await pair.pass(10), [1]);
});

Deno.test("a loss is noticed with the next message", async () => {
  using pair = together();
  pair.sender.post(1);
  await pair.hears(1);
  await pair.lose(2);
  pair.sender.post(3);
  assert.deepEqual(await pair.hears(3), [1, "lost", 3]);
});

Deno.test("a loss of the last message is noticed after a second, and once", async () => {
  using pair = together();
  await pair.lose(1);
  assert.deepEqual(await pair.pass(0), []);
  assert.deepEqual(await pair.pass(1), ["lost"]);
  assert.deepEqual(await pair.pass(2_000), ["lost"]);
  pair.sender.post(2);
  assert.deepEqual(await pair.hears(2), ["lost", 2]);
});

Deno.test("a thread that was behind for long notices a loss after as long again and two seconds", async () => {
  for (const seconds of [1, 2, 3, 10, 100]) {
    using pair = together();
    {
      using _lost = loseMessages();
      pair.sender.post(1);
      await Promise.resolve();
      assert.deepEqual(await pair.pass(seconds), []);
    }
    assert.deepEqual(await pair.pass(seconds + 2), ["lost"], `${seconds}`);
  }
});

Deno.test("a thread that starts later notices that it has missed messages", async () => {
  using pair = together();
  pair.sender.post(1);
  await pair.hears(1);
  using _late = pair.listen();
  pair.sender.post(2);
  assert.deepEqual((await pair.hears(4)).toSorted(), [1, 2, 2, "lost"]);
});
