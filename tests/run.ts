/**
 * `deno task test [--filter TEXT] [--fail-fast] [--watch] [--changed] [name or path …]`: every
 * check of the project, or the chosen ones. `--changed` chooses the tests that import what differs
 * from `main`. The last line is `N passed, N failed`; the exit status is 1 when anything failed.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureArchivers } from "./support/disks/archivers.ts";
import { temporaryFolder } from "./support/disks/files.ts";
import { ensureMediaPrograms } from "./support/disks/media_programs.ts";
import { changedFiles, testsOf } from "./support/run/changed.ts";
import { type Check, chooseChecks } from "./support/run/checks.ts";
import { inMemory, type Program } from "./support/run/in_memory.ts";
import { putTogether } from "./support/run/together.ts";
import { denokvAdvice, findDenokv } from "./support/services/denokv.ts";
import { ensureChromium } from "./support/browser/chromium.ts";
import {
  readFailures,
  readTally,
  readTimes,
  type Tally,
  type TestTime,
} from "./support/run/tally.ts";

/** When all checks together take longer, one hangs: it is stopped, and the rest fail with it. */
const limitMs = 45 * 60_000;

const top = new URL("..", import.meta.url).pathname;
const screen = Deno.stdout.writable.getWriter();
const attached = { stdin: "null", stderr: "inherit" } as const;
const failure: Tally = { passed: 0, failed: 1, ignored: 0 };
const times: TestTime[] = [];
/** Told again at the end, where those look who read the last lines alone. */
const failures: string[] = [];

// `deno task` hands its own `--` on.
const given = Deno.args.filter((arg, index) => arg !== "--" || Deno.args.indexOf(arg) !== index);
const { values: options, positionals } = parseArgs({
  args: given,
  allowPositionals: true,
  options: {
    filter: { type: "string" },
    "fail-fast": { type: "boolean" },
    watch: { type: "boolean" },
    changed: { type: "boolean" },
  },
});
const limit = options.watch ? undefined : AbortSignal.timeout(limitMs);

async function installPackages(): Promise<void> {
  const { success } = await deno(["install", "--frozen"], { stdout: "inherit" }).output();
  if (!success) throw new Error("Cannot install the packages: deno install --frozen failed");
}

/** Runs a check without tests. */
async function runOne({ name, args }: Check): Promise<Tally> {
  const { success, stdout, stderr } = await deno(args, {
    stdout: "piped",
    stderr: "piped",
    signal: limit,
  }).output();
  const decoder = new TextDecoder();
  const printed = success ? "" : decoder.decode(stdout) + decoder.decode(stderr);
  console.log(`\n== ${name}\n${printed}${success ? `${name} ok` : `${name} failed`}`);
  return success ? { ...failure, passed: 1, failed: 0 } : failure;
}

async function run(check: Check): Promise<Tally> {
  console.log(`\n== ${check.name}`);
  try {
    if (check.archivers) await ensureArchivers();
    if (check.media) await ensureMediaPrograms();
    if (check.denokv && findDenokv() === null) return withoutDenokv();
    const env = { ...check.env };
    if (check.browser) {
      env.CHROMIUM = await ensureChromium();
      await ensureChromium("whole");
    }
    await using folder = await temporaryFolder();
    await using modules = await temporaryFolder();
    const { together } = check;
    if (together !== undefined) putTogether(join(top, together), modules.path);
    const paths = check.args.map((arg) => arg === together ? modules.path : arg);
    const own: Program = [Deno.execPath(), ...paths];
    const [program, ...args] = check.onDisk ? own : inMemory(folder.path, own);
    const options = { ...attached, args, env, stdout: "piped", signal: limit } as const;
    const child = new Deno.Command(program, options).spawn();
    const output = await show(child.stdout);
    const { code, signal } = await child.status;
    times.push(...readTimes(output));
    const reasons = readFailures(output);
    if (reasons !== "") failures.push(`== ${check.name}\n${reasons}`);
    if (signal) console.log(`${check.name} ended by ${signal}`);
    return readTally(output, code);
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    return failure;
  }
}

/** Who asks for these tests has to install what they need; among all others they are left out. */
function withoutDenokv(): Tally {
  console.log(`Not run: ${denokvAdvice}`);
  return chosenWords.length > 0 ? failure : { passed: 0, failed: 0, ignored: 1 };
}

function deno(args: string[], options: Deno.CommandOptions): Deno.Command {
  return new Deno.Command(Deno.execPath(), { ...attached, args, ...options });
}

/** Passes output on as it comes, and answers with all of it. */
async function show(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of output) {
    await screen.write(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** What the arguments name; with `--changed`, the tests of that which changed. */
async function words(): Promise<string[]> {
  if (!options.changed) return positionals;
  const tests = testsOf(top, await changedFiles());
  return tests.filter((path) => positionals.every((word) => path.includes(word)));
}

Deno.chdir(top);
const chosenWords = await words();
const isNothing = options.changed === true && chosenWords.length === 0;
const failFast = options["fail-fast"];
const chosen = isNothing ? [] : chooseChecks(chosenWords, { ...options, failFast });
await installPackages();

const { one = [], tests = [] } = Object.groupBy(chosen, ({ counts }) => counts);
const tallies = new Map<Check, Tally>();
// At once, and the types beside the first tests: each alone leaves a processor idle.
const running = one.map(async (check) => void tallies.set(check, await runOne(check)));
await Promise.all(running.filter((_, index) => one[index]?.name !== "types"));
for (const check of tests) {
  if (failFast && total("failed") > 0) break;
  tallies.set(check, await run(check));
}
await Promise.all(running);

function total(count: keyof Tally): number {
  return [...tallies.values()].reduce((sum, tally) => sum + tally[count], 0);
}

const broken = [...tallies].filter(([, { failed }]) => failed > 0).map(([{ name }]) => name);
console.log("");
const slowest = times.sort((a, b) => b.seconds - a.seconds).slice(0, 10);
if (slowest.length > 0) console.log("Slowest:");
for (const { name, seconds } of slowest) console.log(`${String(seconds).padStart(4)} s  ${name}`);
if (failures.length > 0 && tests.length > 1) console.log(`\n${failures.join("\n\n")}\n`);
if (broken.length > 0) console.log(`Failed: ${broken.join(", ")}`);
if (total("ignored") > 0) console.log(`Ignored: ${total("ignored")}`);
console.log(`${total("passed")} passed, ${total("failed")} failed`);
Deno.exit(total("failed") > 0 ? 1 : 0);
