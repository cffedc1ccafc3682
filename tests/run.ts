/**
 * `deno task test [--filter TEXT] [--shuffle SEED] [--fail-fast] [--watch] [--changed] [name or path
 * …]`: every check of the project, or the chosen ones. `--changed` chooses the tests that import
 * what differs from `main`. `quick` is for the work in between: format, lint, and the types and
 * nearest tests of what differs. `alone`, before paths, runs each of their tests by itself. The last
 * line is `N passed, N failed`; the exit status is 1 when anything failed.
 */
import { parseArgs } from "node:util";
import { eachAlone, listing } from "./support/run/alone.ts";
import { changedFiles, nearestTests, testsOf } from "./support/run/changed.ts";
import { type Check, chooseChecks, headingOf, quickChecks } from "./support/run/checks.ts";
import { type Outcome, runCheck } from "./support/run/run_check.ts";
import { afterSecondTries, secondTries } from "./support/run/second_try.ts";
import { lastLines, timeLines } from "./support/run/summary.ts";
import type { NamedTest, Tally } from "./support/run/tally.ts";
import { top } from "./support/run/test_files.ts";
import { denokvAdvice, findDenokv } from "./support/services/denokv.ts";

/** When all checks together take longer, one hangs: it is stopped, and the rest fail with it. */
const limitMs = 45 * 60_000;

// `deno task` hands its own `--` on.
const given = Deno.args.filter((arg, index) => arg !== "--" || Deno.args.indexOf(arg) !== index);
const { values: options, positionals } = parseArgs({
  args: given,
  allowPositionals: true,
  options: {
    filter: { type: "string" },
    shuffle: { type: "string" },
    "fail-fast": { type: "boolean" },
    watch: { type: "boolean" },
    changed: { type: "boolean" },
  },
});
const { watch, "fail-fast": failFast } = options;
const signal = watch ? undefined : AbortSignal.timeout(limitMs);
const outcomes: Outcome[] = [];
const tallies = new Map<string, Tally>();

async function installPackages(): Promise<void> {
  const args = ["install", "--frozen"];
  const { success } = await new Deno.Command(Deno.execPath(), { args, stdin: "null" }).spawn()
    .status;
  if (!success) throw new Error("Cannot install the packages: deno install --frozen failed");
}

async function run(check: Check, live = false): Promise<void> {
  if (failFast && [...tallies.values()].some(({ failed }) => failed > 0)) return;
  if (check.denokv && findDenokv() === null) return withoutDenokv(check);
  try {
    const outcome = await runCheck(check, { signal, live, watch });
    outcomes.push(outcome);
    tallies.set(check.name, outcome.tally);
  } catch (error) {
    console.log(`\n== ${check.name}\n${error instanceof Error ? error.message : error}`);
    tallies.set(check.name, { passed: 0, failed: 1, ignored: 0 });
  }
}

/** Who asks for these tests has to install what they need; among all others they are left out. */
function withoutDenokv({ name }: Check): void {
  console.log(`\n== ${name}\nNot run: ${denokvAdvice}`);
  const isAsked = words.length > 0;
  tallies.set(name, { passed: 0, failed: isAsked ? 1 : 0, ignored: isAsked ? 0 : 1 });
}

async function inTurn(checks: Iterable<Check>, live = false): Promise<void> {
  for (const check of checks) await run(check, live);
}

/** Tries the tests that failed once more. */
async function tryAgain(): Promise<NamedTest[]> {
  const flaky: NamedTest[] = [];
  for (const outcome of [...outcomes]) {
    const tries: Outcome[] = [];
    for (const check of failFast || watch ? [] : secondTries(outcome)) {
      tries.push(await runCheck(check, { signal }));
    }
    const after = afterSecondTries(outcome, tries);
    tallies.set(outcome.check.name, after.tally);
    flaky.push(...after.flaky);
  }
  return flaky;
}

/** What the arguments name; with `--changed`, the tests of that which changed. */
async function chosenWords(): Promise<string[]> {
  if (!options.changed) return positionals;
  const tests = testsOf(top, await changedFiles());
  return tests.filter((path) => positionals.every((word) => path.includes(word)));
}

/** The checks of `quick`; tests that it has no time for are named. */
async function quick(): Promise<Check[]> {
  const changed = (await changedFiles()).filter(isFile);
  const { checks, left } = quickChecks(changed, nearestTests(top, changed));
  if (left.length > 0) console.log(`Not run, as others are nearer:\n${left.join("\n")}\n`);
  return checks;
}

/** A check for each test of some checks. */
async function alone(checks: readonly Check[]): Promise<Check[]> {
  const all: Check[] = [];
  for (const check of checks.filter(({ counts }) => counts === "tests")) {
    all.push(...eachAlone(check, (await runCheck(listing(check), { signal })).tests));
  }
  return all;
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

Deno.chdir(top);
const words = await chosenWords();
const isNothing = options.changed === true && words.length === 0;
const isQuick = words.length === 1 && words[0] === "quick";
const isAlone = words[0] === "alone";
if (isAlone && words.length === 1) throw new Error("Cannot test alone: name files or folders");
const named = isNothing
  ? []
  : isQuick
  ? await quick()
  : isAlone
  ? chooseChecks(words.slice(1))
  : chooseChecks(words, { ...options, failFast });
await installPackages();
const chosen = isAlone ? await alone(named) : named;

const { one = [], tests = [] } = Object.groupBy(chosen, ({ counts }) => counts);
// At once, and the types beside the first tests: each alone leaves a processor idle.
const running = one.map(async (check) => ({ check, done: await run(check) }));
await Promise.all(running.filter((_, index) => !one[index]?.name.startsWith("types")));
const isLive = tests.length === 1;
const { last = [], busy = [], ...lanes } = Object.groupBy(tests, ({ lane = "busy" }) => lane);
// One iterator for all lanes, so that each of these checks runs once.
const queue = busy.values();
const inLane = async (own: readonly Check[]) => {
  await inTurn(own, isLive);
  await inTurn(queue, isLive);
};
await Promise.all([inLane([]), ...Object.values(lanes).map(inLane), ...running]);
await inTurn(last, isLive);
const flaky = isAlone ? [] : await tryAgain();
for (const [name, { passed, failed, ignored }] of isAlone ? tallies : []) {
  if (passed + failed + ignored === 0) tallies.set(name, { passed, failed: 1, ignored });
}

const reasons = outcomes.filter(({ reasons }) => reasons !== "" && tests.length > 1)
  .map(({ check, reasons }) => `${headingOf(check)}\n${reasons}\n`);
const lines = [...timeLines(outcomes), "", ...reasons, ...lastLines(tallies, flaky)];
console.log(`\n${lines.join("\n")}`);
Deno.exit([...tallies.values()].some(({ failed }) => failed > 0) ? 1 : 0);
