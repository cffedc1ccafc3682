import assert from "node:assert/strict";
import { readFailures, readTally, readTimes } from "../../support/run/tally.ts";

Deno.test("readTally() never calls a failed run a success", () => {
  assert.equal(readTally("", 0).failed, 1);
  assert.equal(readTally("ok | 3 passed | 0 failed (2ms)", 1).failed, 1);
});

Deno.test("readTally() counts tests, not steps, of the last summary", () => {
  const output = "noise | 9 passed | 9 failed\n" +
    "\x1b[31mFAILED\x1b[0m | 2 passed (1 step) | 5 failed (1 step) | 1 ignored (86ms)\n";
  assert.deepEqual(readTally(output, 1), { passed: 2, failed: 5, ignored: 1 });
});

Deno.test("readFailures() reads names and reasons, and nothing of a run that passed", () => {
  const output = "one ... FAILED (2s)\n\n\x1b[0m\x1b[1m\x1b[37m\x1b[41m ERRORS \x1b[0m\n\n" +
    "one => ./tests/a_test.ts:2:1\nerror: why\n\n FAILURES \n\none => ./tests/a_test.ts:2:1\n";
  assert.equal(readFailures(output), "one => ./tests/a_test.ts:2:1\nerror: why");
  assert.equal(readFailures("one ... ok (2s)\nok | 1 passed | 0 failed (2s)\n"), "");
});

Deno.test("readTimes() reads seconds and minutes of tests, and no steps", () => {
  const output = "\x1b[38;5;245m./tests/a_test.ts => \x1b[0mone ... \x1b[32mok\x1b[0m (12s)\n" +
    "  a step ... ok (2s)\ntwo ... FAILED (1m4s)\nthree ... ok (80ms)\n";
  assert.deepEqual(readTimes(output), [{ name: "one", seconds: 12 }, { name: "two", seconds: 64 }]);
});
