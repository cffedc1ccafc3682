import assert from "node:assert/strict";
import {
  failedTests,
  fileTimes,
  readFailures,
  readReport,
  readTally,
  withFiles,
} from "../../support/run/tally.ts";

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

const report = [
  { file: "tests/a_test.ts", name: "one", at: "tests/a_test.ts:7:6" },
  { file: "tests/a_test.ts", name: "two => three", at: "tests/a_test.ts:9:6" },
  { file: "tests/b_test.ts", name: "one", at: "tests/b_test.ts:3:6" },
  { file: "tests/a_test.ts", name: "one", ms: 1200 },
  { file: "tests/a_test.ts", name: "two => three", ms: 300 },
  { file: "tests/b_test.ts", name: "one", ms: 20 },
];
const called = "./tests/support/run/each_file.ts:20:50";
const ending = (lines: string) =>
  ` ERRORS \n\nwhy\n\n FAILURES \n\n${lines}\n\nFAILED | 1 passed | 1 failed (2s)\n`;

Deno.test("failedTests() finds the files of tests and steps, of each that has the name", () => {
  const a = { file: "tests/a_test.ts", name: "two => three" };
  assert.deepEqual(failedTests(ending(`two => three => ${called}`), report), [a]);
  assert.deepEqual(failedTests(ending(`two => three ... a step => ${called}`), report), [a]);
  assert.deepEqual(failedTests(ending(`one => ${called}`), report), [
    { file: "tests/a_test.ts", name: "one" },
    { file: "tests/b_test.ts", name: "one" },
  ]);
});

Deno.test("failedTests() says when a failure is no test's", () => {
  assert.equal(failedTests(ending("./tests/a_test.ts (uncaught error)"), report), null);
  assert.equal(failedTests(ending(`one => ${called}\nelse => ${called}`), report), null);
  assert.equal(failedTests("error: the module cannot be loaded", report), null);
});

Deno.test("withFiles() names files in the place of the modules that import them", () => {
  const output = "../tmp/m/003_tests_unit_test.ts => two => three ... \x1b[32mok\x1b[0m (12s)\n" +
    `two => three => ${called}\nunknown => ${called}\n`;
  assert.equal(
    withFiles(output, report),
    "two => three ... ok (12s)\n" +
      `two => three => tests/a_test.ts:9:6\nunknown => ${called}\n`,
  );
});

Deno.test("fileTimes() adds up what the tests of a file took", () => {
  assert.deepEqual(fileTimes(report), [
    { name: "tests/a_test.ts", seconds: 1.5 },
    { name: "tests/b_test.ts", seconds: 0.02 },
  ]);
});

Deno.test("readReport() leaves out the half of a line with which a run was ended", () => {
  const [line] = report;
  assert.deepEqual(readReport(`${JSON.stringify(line)}\n{"file":"te`), [line]);
  assert.deepEqual(readReport(""), []);
});
