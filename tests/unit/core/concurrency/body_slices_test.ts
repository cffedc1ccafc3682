import assert from "node:assert/strict";
import { takeSlice } from "../../../../lib/server/core/concurrency/body_slices.ts";
import { delay } from "../../../../lib/shared/delay.ts";

Deno.test("bodies whose bytes are always there leave time to other requests", async () => {
  let left = 40;
  async function receive(): Promise<void> {
    for (let parts = 0; parts < 2; parts++) {
      await takeSlice();
      for (const end = performance.now() + 1; performance.now() < end;);
    }
    left--;
  }
  const bodies = Array.from({ length: left }, receive);
  await delay(0);
  assert.ok(left > 20, `${left} of ${bodies.length} were still arriving`);
  await Promise.all(bodies);
});
