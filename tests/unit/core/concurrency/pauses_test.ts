import assert from "node:assert/strict";
import { Pauses } from "../../../../lib/server/core/concurrency/pauses.ts";

/** Works until the turn has changed four times; ten seconds alone prove that it never does. */
async function takeTurns(log: string[], name: string): Promise<string> {
  const pauses = new Pauses();
  for (const end = performance.now() + 10_000; log.length < 4 && performance.now() < end;) {
    if (log.at(-1) !== name) log.push(name);
    if (pauses.isDue) await pauses.pause();
  }
  return name;
}

Deno.test("work under way side by side takes turns", async () => {
  const log: string[] = [];
  const done = await Promise.all([takeTurns(log, "a"), takeTurns(log, "b")]);
  assert.deepEqual(done, ["a", "b"]);
  assert.deepEqual(log, ["a", "b", "a", "b"]);
});

Deno.test("work that is cancelled stops, and what it held is let go", async () => {
  const controller = new AbortController();
  let isHeld = false;
  async function hold(pauses: Pauses): Promise<void> {
    isHeld = true;
    try {
      while (true) if (pauses.isDue) await pauses.pause();
    } finally {
      isHeld = false;
    }
  }
  const work = hold(new Pauses(controller.signal));
  setTimeout(() => controller.abort(), 15);
  await assert.rejects(work, { name: "AbortError" });
  assert.equal(isHeld, false);
});

Deno.test("all work of low priority together gets no more turns than one other call", async () => {
  const turns = { low: 0, normal: 0 };
  const controller = new AbortController();
  async function work(priority: "low" | "normal"): Promise<void> {
    const pauses = new Pauses(controller.signal, priority);
    for (;;) {
      await pauses.pause();
      if (++turns[priority] > 50) controller.abort();
    }
  }
  const all = [work("normal"), ...Array.from({ length: 10 }, () => work("low"))];
  await Promise.allSettled(all);
  assert(turns.normal > 40 && turns.low > 40, JSON.stringify(turns));
});
