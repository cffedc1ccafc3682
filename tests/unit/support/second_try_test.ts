import assert from "node:assert/strict";
import type { Check } from "../../support/run/checks.ts";
import { afterSecondTries, type Failed, secondTries } from "../../support/run/second_try.ts";
import { lastLines, slowest, sum } from "../../support/run/summary.ts";

const check: Check = {
  name: "e2e",
  counts: "tests",
  args: ["test"],
  files: ["a_test.ts", "b_test.ts", "c_test.ts"],
  jobs: 3,
};
const tests = [
  { file: "b_test.ts", name: "two" },
  { file: "a_test.ts", name: "one" },
  { file: "b_test.ts", name: "three" },
];
const failed: Failed = { check, tally: { passed: 5, failed: 3, ignored: 0 }, failed: tests };
const triesOf = (...greens: boolean[]) =>
  secondTries(failed).map((check, index) => {
    const tally = { passed: 3, failed: greens[index] ? 0 : 1, ignored: 0 };
    return { check, tally };
  });

Deno.test("each file that failed is tried once more, alone", () => {
  assert.deepEqual(
    secondTries(failed).map(({ files, jobs }) => ({ files, jobs })),
    [{ files: ["a_test.ts"], jobs: 1 }, { files: ["b_test.ts"], jobs: 1 }],
  );
  assert.deepEqual(secondTries({ ...failed, failed: [] }), []);
});

Deno.test("what is looked for by chance, and what failed in many files, is not tried again", () => {
  assert.deepEqual(secondTries({ ...failed, check: { ...check, byChance: true } }), []);
  const many = ["a", "b", "c", "d", "e", "f"].map((file) => ({ file, name: "one" }));
  assert.equal(secondTries({ ...failed, failed: many.slice(1) }).length, 5);
  assert.deepEqual(secondTries({ ...failed, failed: many }), []);
});

Deno.test("an error outside of any test is not tried again", () => {
  assert.deepEqual(secondTries({ ...failed, failed: null }), []);
  assert.deepEqual(afterSecondTries({ ...failed, failed: null }, []).tally.failed, 3);
});

Deno.test("a file that is green then has passed, and its tests are flaky", () => {
  assert.deepEqual(afterSecondTries(failed, triesOf(true, true)), {
    flaky: tests,
    tally: { passed: 8, failed: 0, ignored: 0 },
  });
});

Deno.test("a file that fails again has failed, and none of its tests is flaky", () => {
  assert.deepEqual(afterSecondTries(failed, triesOf(true, false)), {
    flaky: [{ file: "a_test.ts", name: "one" }],
    tally: { passed: 6, failed: 2, ignored: 0 },
  });
  assert.deepEqual(afterSecondTries(failed, triesOf(false, false)).tally, failed.tally);
});

Deno.test("a name that two files have hides no failure of one of them", () => {
  const both = [{ file: "a_test.ts", name: "one" }, { file: "b_test.ts", name: "one" }];
  const one: Failed = { check, tally: { passed: 7, failed: 1, ignored: 0 }, failed: both };
  assert.equal(afterSecondTries(one, triesOf(true, false)).tally.failed, 1);
  assert.equal(afterSecondTries(one, triesOf(true, true)).tally.failed, 0);
});

Deno.test("flaky tests are told before the last line, which counts", () => {
  const tallies = new Map([
    ["unit", { passed: 4, failed: 1, ignored: 1 }],
    ["e2e", { passed: 3, failed: 0, ignored: 0 }],
  ]);
  assert.deepEqual(lastLines(tallies, [{ file: "tests/e2e/a_test.ts", name: "one" }]), [
    "Failed: unit",
    "Ignored: 1",
    "flaky: tests/e2e/a_test.ts › one",
    "7 passed, 1 failed",
  ]);
  assert.deepEqual(sum([]), { passed: 0, failed: 0, ignored: 0 });
});

Deno.test("the ten slowest are told, the slowest first", () => {
  const times = Array.from({ length: 12 }, (_, index) => ({ name: `${index}`, seconds: index }));
  assert.deepEqual(slowest(times).map(({ seconds }) => seconds), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
});
