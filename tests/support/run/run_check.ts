/** Runs one check, and measures it. */
import { join } from "node:path";
import { ensureChromium } from "../browser/chromium.ts";
import { ensureFonts } from "../browser/fonts.ts";
import { ensureArchivers } from "../disks/archivers.ts";
import { temporaryFolder } from "../disks/files.ts";
import { ensureMediaPrograms } from "../disks/media_programs.ts";
import { type Check, headingOf } from "./checks.ts";
import { REPORT } from "./each_file.ts";
import { inMemory, type Program } from "./in_memory.ts";
import {
  failedTests,
  fileTimes,
  type NamedTest,
  readFailures,
  readReport,
  readTally,
  type Tally,
  type Time,
  withFiles,
} from "./tally.ts";
import { top } from "./test_files.ts";
import { putTogether, shareOut } from "./together.ts";

/** What came of a check. */
export interface Outcome {
  check: Check;
  tally: Tally;
  /** Why tests failed; empty when none did. */
  reasons: string;
  /** All tests of its files, also those that a filter leaves out. */
  tests: NamedTest[];
  /** The tests that failed; null when there are failures that are no test's. */
  failed: NamedTest[] | null;
  /** How long it took, and how long it kept processors busy, with all that it started. */
  wall: number;
  processor: number;
  files: Time[];
}

/** How a check is run. */
export interface RunTerms {
  /** Ends it. */
  signal?: AbortSignal;
  /** Shows output as it comes, as no other check runs; all at once when it has ended otherwise. */
  live?: boolean;
  /** Keeps running as files change: with the files themselves in the place of modules. */
  watch?: boolean;
}

/** Runs a check, prints what it prints, and tells what came of it. */
export async function runCheck(check: Check, terms: RunTerms): Promise<Outcome> {
  const needed = await needs(check);
  const start = performance.now();
  await using folder = await temporaryFolder();
  // Beside it: other accounts have to get there.
  await using disk = await temporaryFolder();
  const reportPath = join(folder.path, "report");
  const timesPath = join(folder.path, "times");
  await Deno.writeTextFile(reportPath, "");
  await Deno.writeTextFile(timesPath, "");
  const env = { ...check.env, ...needed, [REPORT]: reportPath };
  const program = await programOf(check, folder.path, disk.path, terms);
  const [path, ...args] = measured(timesPath, program);
  if (terms.live) console.log(`\n${headingOf(check)}`);
  const { output, code, signal } = await show(path, args, env, reportPath, terms);
  const report = readReport(await Deno.readTextFile(reportPath));
  const text = withFiles(output, report);
  const isOne = check.counts === "one";
  const tally = isOne ? ofOne(code) : readTally(output, code);
  if (!terms.live) {
    const printed = isOne && code === 0 ? "" : text;
    const end = isOne ? `${check.name} ${code === 0 ? "ok" : "failed"}` : "";
    console.log(`\n${headingOf(check)}\n${printed}${end}`);
  }
  if (signal) console.log(`${check.name} ended by ${signal}`);
  return {
    check,
    tally,
    reasons: isOne ? "" : readFailures(text),
    tests: report.filter(({ at }) => at !== undefined).map(({ file, name }) => ({ file, name })),
    failed: signal || isOne ? null : tally.failed === 0 ? [] : failedTests(text, report),
    wall: (performance.now() - start) / 1000,
    processor: Number(await Deno.readTextFile(timesPath)),
    files: fileTimes(report),
  };
}

/** Sees to the programs that a check needs. */
async function needs(check: Check): Promise<Record<string, string>> {
  if (check.archivers) await ensureArchivers();
  if (check.media) await ensureMediaPrograms();
  if (!check.browser) return {};
  await ensureFonts();
  const CHROMIUM = await ensureChromium();
  await ensureChromium("whole");
  return { CHROMIUM };
}

async function programOf(
  check: Check,
  folder: string,
  disk: string,
  { watch }: RunTerms,
): Promise<Program> {
  if (check.counts === "one") return [Deno.execPath(), ...check.args];
  const { jobs = 1, perModule = 1 } = check;
  const parallel = jobs > 1 ? ["--parallel"] : [];
  const modules = join(folder, "modules");
  await Deno.mkdir(modules);
  if (!watch) putTogether(top, shareOut(check.files, perModule), modules);
  const paths = watch ? check.files : [modules];
  const env = ["env", `DENO_JOBS=${jobs}`] as const;
  const own: Program = [...env, Deno.execPath(), ...check.args, ...parallel, ...paths];
  return check.onDisk ? own : inMemory(disk, own);
}

const measure = new URL("measure.ts", import.meta.url).pathname;

/** Has another process tell the processor time of a program and of all that it starts. */
function measured(times: string, program: Program): Program {
  return [Deno.execPath(), "run", "-A", "--no-check", "--quiet", measure, times, ...program];
}

function ofOne(code: number): Tally {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, ignored: 0 };
}

async function show(
  path: string,
  args: string[],
  env: Record<string, string>,
  report: string,
  { signal, live }: RunTerms,
) {
  const stderr = live ? "inherit" : "piped";
  const options = { args, env, signal, stdin: "null", stdout: "piped", stderr } as const;
  const child = new Deno.Command(path, { ...options, cwd: top }).spawn();
  const parts: string[] = [];
  // Of thousands of lines, few name a place that the report knows.
  const reportFor = (line: string) =>
    line.includes("each_file.ts") ? readReport(Deno.readTextFileSync(report)) : [];
  const gather = async (stream: ReadableStream<Uint8Array>) => {
    for await (const line of linesOf(stream)) {
      if (live) console.log(withFiles(line, reportFor(line)).trimEnd());
      parts.push(line);
    }
  };
  await Promise.all([gather(child.stdout), live ? undefined : gather(child.stderr)]);
  return { output: parts.join(""), ...await child.status };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let left = "";
  for await (const chunk of stream) {
    const lines = (left + decoder.decode(chunk, { stream: true })).split("\n");
    left = lines.pop() ?? "";
    yield* lines.map((line) => `${line}\n`);
  }
  yield left;
}
