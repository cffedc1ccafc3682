import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nearestTests, testsOf } from "../../support/run/changed.ts";
import {
  checks,
  chooseChecks,
  headingOf,
  onRequest,
  quickChecks,
} from "../../support/run/checks.ts";
import { isShared } from "../../support/run/shared_state.ts";
import { testsBelow } from "../../support/run/test_files.ts";
import { putTogether, shareOut } from "../../support/run/together.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";

const namesOf = (...given: Parameters<typeof chooseChecks>) =>
  chooseChecks(...given).map(({ name }) => name);

Deno.test("every test is in a check, and in no other of the same threads", () => {
  const files = [...checks, ...onRequest].filter(({ env }) => env?.WORKERS !== "2")
    .flatMap(({ files }) => files);
  assert.deepEqual(files.toSorted(), testsBelow(["tests"]));
});

Deno.test("attacks are made with two threads where their files say so, and only there", () => {
  const again = checks.filter(({ env }) => env?.WORKERS === "2").flatMap(({ files }) => files);
  assert.deepEqual(again.toSorted(), testsBelow(["tests/security"]).filter(isShared));
  assert.ok(again.includes("tests/security/auth/tickets_test.ts"));
  assert.ok(!again.includes("tests/security/http/host_test.ts"));
  const said = testsBelow(["tests"]).filter((file) =>
    /^\/\/ With two threads/mi.test(Deno.readTextFileSync(file))
  );
  assert.deepEqual(said, again.toSorted(), "a mark that nothing reads");
});

Deno.test("chooseChecks() takes names of parts, and paths of one part together", () => {
  assert.ok(namesOf([]).includes("types") && !namesOf([]).includes("release"));
  assert.deepEqual(namesOf(["release"]), ["release"]);
  assert.deepEqual(namesOf(["e2e"]), ["e2e", "e2e alone"]);
  assert.deepEqual(namesOf(["lint", "tests/unit/core/kv", "tests/unit/cli", "tests/routes"]), [
    "lint",
    "tests/unit/core/kv tests/unit/cli",
    "tests/routes",
  ]);
  assert.deepEqual(namesOf(["tests/security/auth/tickets_test.ts"]), [
    "tests/security/auth/tickets_test.ts",
    "tests/security/auth/tickets_test.ts with two threads",
  ]);
  assert.deepEqual(namesOf(["tests/security/http/host_test.ts"]), [
    "tests/security/http/host_test.ts",
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

Deno.test("units and routes run in an order that their heading tells, and that can be chosen", () => {
  const shuffled = checks.filter(({ args }) => args.includes("--shuffle=1"));
  assert.deepEqual(shuffled.map(headingOf), ["== unit --shuffle=1", "== routes --shuffle=1"]);
  const { checks: quick } = quickChecks([], ["tests/unit/a_test.ts", "tests/routes/b_test.ts"]);
  assert.deepEqual(quick.slice(2).map(headingOf), shuffled.map(headingOf));
  const chosen = chooseChecks(["lint", "routes", "compat"], { shuffle: "7" });
  assert.deepEqual(chosen.map(headingOf), [
    "== lint",
    "== routes --shuffle=7",
    "== compat --shuffle=7",
  ]);
  assert.equal(chosen[1]?.args.filter((arg) => arg.startsWith("--shuffle")).length, 1);
});

Deno.test("units and routes run with random ids in their worst spelling", () => {
  const preload = "--preload=tests/support/run/worst_ids.ts";
  const named = checks.filter(({ args }) => args.includes(preload)).map(({ name }) => name);
  assert.deepEqual(named, ["unit", "routes"]);
});

Deno.test("chooseChecks() watches one part or file, an attack with one thread", () => {
  assert.throws(() => chooseChecks([], { watch: true }), /Cannot watch all at once/);
  assert.deepEqual(namesOf(["unit"], { watch: true }), ["unit"]);
  assert.deepEqual(namesOf(["tests/security/auth/tickets_test.ts"], { watch: true }), [
    "tests/security/auth/tickets_test.ts",
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

Deno.test("tests that share modules are each in one of them, with others of their folder", async () => {
  await using folder = await temporaryFolder();
  const files = testsBelow(["tests/unit"]);
  const groups = shareOut(files, 12);
  assert.ok(groups.every((group) => group.length <= 12));
  putTogether(Deno.cwd(), groups, folder.path);
  const modules = [...Deno.readDirSync(folder.path)].map(({ name }) => name);
  assert.ok(modules.every((name) => name.endsWith("_test.ts")), "deno test finds them");
  const imported = modules.flatMap((name) => {
    const text = Deno.readTextFileSync(join(folder.path, name));
    const paths = [...text.matchAll(/"(file:.+_test\.tsx?)"/g)]
      .map(([, url = ""]) => fileURLToPath(url));
    const begun = [...text.matchAll(/begin\("(.+)"\)/g)].map(([, path = ""]) => path);
    assert.deepEqual(begun.map((path) => join(Deno.cwd(), path)), paths);
    return begun;
  });
  assert.ok(imported.length > 2 * modules.length);
  assert.deepEqual(imported.sort(), files);
});

Deno.test("nearestTests() begins with those that import a file by the fewest imports", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, {
    lib: { "deep.ts": "", "near.ts": 'export * from "./deep.ts";' },
    tests: {
      "a_test.ts": 'import "../lib/near.ts";',
      "b_test.ts": 'import "../lib/deep.ts";',
      "c_test.ts": "",
    },
  });
  const near = nearestTests(folder.path, ["lib/deep.ts"]);
  assert.deepEqual(near, ["tests/b_test.ts", "tests/a_test.ts"]);
});

Deno.test("quick checks the nearest tests of units and routes, and names what it leaves out", () => {
  const many = (kind: string) =>
    Array.from({ length: 60 }, (_, index) => `tests/${kind}/${index}_test.ts`);
  const nearest = [...many("unit"), ...many("routes"), ...many("e2e")];
  const { checks, left } = quickChecks(["lib/a.ts", "docs/b.md"], nearest);
  const names = ["format", "lint", "types of what changed", "unit", "routes"];
  assert.deepEqual(checks.map(({ name }) => name), names);
  assert.deepEqual(checks[2]?.args, ["check", "lib/a.ts"]);
  const run = checks.flatMap(({ files }) => files);
  assert.ok(run.includes("tests/unit/0_test.ts") && run.includes("tests/routes/0_test.ts"));
  assert.deepEqual([...run, ...left].toSorted(), [...many("unit"), ...many("routes")].toSorted());
  assert.deepEqual(quickChecks(["docs/b.md"], []).checks.map(({ name }) => name), [
    "format",
    "lint",
  ]);
});
