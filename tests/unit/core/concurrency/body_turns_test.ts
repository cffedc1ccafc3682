import assert from "node:assert/strict";
import { BodyTurns } from "../../../../lib/server/core/concurrency/body_turns.ts";
import { delay } from "../../../../lib/shared/delay.ts";

/** A body whose next part is always there. @param parts that take a millisecond each */
async function arrive(parts: number): Promise<void> {
  using turns = new BodyTurns();
  for (; parts > 0; parts--) {
    await turns.take();
    for (const end = performance.now() + 1; performance.now() < end;);
  }
}

/** How many bodies have arrived when another request is served. */
async function arrivedBefore(count: number): Promise<number> {
  let arrived = 0;
  const bodies = Array.from({ length: count }, () => arrive(2).then(() => arrived++));
  await delay(0);
  const before = arrived;
  await Promise.all(bodies);
  return before;
}

Deno.test("many bodies that arrive at once leave turns to other requests", async () => {
  assert.ok(await arrivedBefore(40) < 20);
});

Deno.test("a few bodies arrive without pauses", async () => {
  assert.equal(await arrivedBefore(5), 5);
});
