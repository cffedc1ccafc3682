import assert from "node:assert/strict";
import { readTally } from "../../support/tally.ts";

Deno.test("readTally() never calls a failed run a success", () => {
  assert.equal(readTally("", 0).failed, 1);
  assert.equal(readTally("ok | 3 passed | 0 failed (2ms)", 1).failed, 1);
});

Deno.test("readTally() counts tests, not steps, of the last summary", () => {
  const output = "noise | 9 passed | 9 failed\n" +
    "\x1b[31mFAILED\x1b[0m | 2 passed (1 step) | 5 failed (1 step) | 1 ignored (86ms)\n";
  assert.deepEqual(readTally(output, 1), { passed: 2, failed: 5, ignored: 1 });
});
