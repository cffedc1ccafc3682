import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { testsOf } from "../../support/run/changed.ts";
import { checks, chooseChecks } from "../../support/run/checks.ts";
import { putTogether } from "../../support/run/together.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";

const namesOf = (...given: Parameters<typeof chooseChecks>) =>
  chooseChecks(...given).map(({ name }) => name);

Deno.test("chooseChecks() takes names of parts, and paths of one part together", () => {
  assert.ok(namesOf([]).includes("types"));
  assert.deepEqual(namesOf(["e2e"]), ["e2e", "e2e alone"]);
  assert.deepEqual(namesOf(["lint", "tests/unit/kv", "tests/unit/cli", "tests/routes"]), [
    "lint",
    "tests/unit/kv tests/unit/cli",
    "tests/routes",
  ]);
  assert.deepEqual(namesOf(["tests/security/http/host_test.ts"]), [
    "tests/security/http/host_test.ts",
    "tests/security/http/host_test.ts with two threads",
  ]);
  assert.equal(chooseChecks(["tests/e2e/alone"])[0]?.browser, true);
});

Deno.test("chooseChecks() refuses a word that is neither a part nor a path", () => {
  assert.throws(() => chooseChecks(["none"]), /Cannot test "none": neither a path nor one of/);
});

Deno.test("chooseChecks() hands a filter and the end at a failure on to tests alone", () => {
  const [lint, unit] = chooseChecks(["lint", "unit"], { failFast: true });
  assert.ok(!lint?.args.includes("--fail-fast") && unit?.args.includes("--fail-fast"));
  const filtered = chooseChecks([], { filter: "a name" });
  assert.ok(filtered.length > 1);
  for (const { args } of filtered) assert.ok(args.includes("--filter=a name"));
});

Deno.test("chooseChecks() watches one part or file, an attack with one thread", () => {
  assert.throws(() => chooseChecks([], { watch: true }), /Cannot watch all at once/);
  assert.deepEqual(namesOf(["unit"], { watch: true }), ["unit"]);
  assert.deepEqual(namesOf(["tests/security/http/host_test.ts"], { watch: true }), [
    "tests/security/http/host_test.ts",
  ]);
});

Deno.test("testsOf() finds the tests that import a file, however indirectly", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, {
    lib: { "deep.ts": "", "near.ts": 'export * from "./deep.ts";', "worker.ts": "" },
    tests: {
      "one_test.ts": 'import "../lib/near.ts";',
      "two_test.ts": 'const late = () => import("../lib/near.ts");',
      "three_test.ts": 'new Worker(new URL("../lib/worker.ts", import.meta.url));',
      "helper.ts": 'import "../lib/near.ts";',
    },
  });
  const testsFor = (...files: string[]) => testsOf(folder.path, files);
  assert.deepEqual(testsFor("lib/deep.ts"), ["tests/one_test.ts", "tests/two_test.ts"]);
  assert.deepEqual(testsFor("lib/worker.ts"), ["tests/three_test.ts"]);
  assert.deepEqual(testsFor("tests/one_test.ts"), ["tests/one_test.ts"]);
  assert.deepEqual(testsFor("lib/none.ts"), []);
});

Deno.test("tests that share modules are each in one of them", async () => {
  await using folder = await temporaryFolder();
  const [together = ""] = checks.flatMap(({ together }) => together ?? []);
  putTogether(resolve(together), folder.path);
  const modules = [...Deno.readDirSync(folder.path)].map(({ name }) => name);
  assert.ok(modules.every((name) => name.endsWith("_test.ts")), "deno test finds them");
  const imported = modules.flatMap((name) => {
    const text = Deno.readTextFileSync(join(folder.path, name));
    return [...text.matchAll(/"(file:.+)"/g)].map(([, url = ""]) => fileURLToPath(url));
  });
  assert.ok(imported.length > 2 * modules.length);
  const { stdout } = await new Deno.Command("find", {
    args: [resolve(together), "-regex", ".*_test\\.tsx?"],
  }).output();
  const found = new TextDecoder().decode(stdout).trim().split("\n");
  assert.deepEqual(imported.sort(), found.sort());
});
