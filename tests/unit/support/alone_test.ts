import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { eachAlone, listing } from "../../support/run/alone.ts";
import type { Check } from "../../support/run/checks.ts";
import { runCheck } from "../../support/run/run_check.ts";
import { top } from "../../support/run/test_files.ts";
import { temporaryFolder } from "../../support/disks/files.ts";

const names = ["makes what the next one needs", "needs what the first one makes", "a+ (b) #/é\\ $"];

Deno.test("each test of a file is run alone, and one that depends on another fails then", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "order_test.ts");
  const bodies = ["made = true;", 'if (!made) throw new Error("in vain");', ""];
  const tests = names.map((name, at) =>
    `Deno.test(${JSON.stringify(name)}, () => {${bodies[at]}});`
  );
  await Deno.writeTextFile(file, `let made = false;\n${tests.join("\n")}\n`);
  const check: Check = {
    ...{ name: "order", args: ["test", "-A", "--no-check"], counts: "tests" },
    ...{ files: [relative(top, file)], onDisk: true },
  };
  const told = console.log;
  console.log = () => {};
  try {
    assert.deepEqual((await runCheck(check, {})).tally, { passed: 3, failed: 0, ignored: 0 });
    const { tally, tests } = await runCheck(listing(check), {});
    assert.deepEqual(tally, { passed: 0, failed: 0, ignored: 0 });
    assert.deepEqual(tests.map(({ name }) => name), names);
    const passed: number[] = [];
    for (const one of eachAlone(check, tests)) {
      const { tally } = await runCheck(one, {});
      assert.equal(tally.passed + tally.failed, 1, one.name);
      passed.push(tally.passed);
    }
    assert.deepEqual(passed, [1, 0, 1]);
  } finally {
    console.log = told;
  }
});
