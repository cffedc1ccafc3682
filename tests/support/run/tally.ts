/** What `deno test` and the report of its modules say of a run. */
import type { ReportLine } from "./each_file.ts";

/** How many checks passed and failed. */
export interface Tally {
  passed: number;
  failed: number;
  /** Tests that are marked as ignored: named, so that nothing is skipped in silence. */
  ignored: number;
}

// deno-lint-ignore no-control-regex -- the colours of a terminal are control characters.
const colours = /\x1b\[[0-9;]*m/g;
const summary =
  /\| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/g;

/**
 * Reads the last summary line of `deno test`, which counts uncaught errors of whole files too
 * (its JUnit report leaves those out). An exit status other than 0 is never without a failure.
 */
export function readTally(output: string, status: number): Tally {
  const line = [...plain(output).matchAll(summary)].at(-1);
  const tally = {
    passed: Number(line?.[1] ?? 0),
    failed: Number(line?.[2] ?? 0),
    ignored: Number(line?.[3] ?? 0),
  };
  if ((status !== 0 || !line) && tally.failed === 0) tally.failed = 1;
  return tally;
}

/** Output without the colours of a terminal. */
export function plain(output: string): string {
  return output.replace(colours, "");
}

/** Which tests failed and why, as `deno test` told at its end; empty when none did. */
export function readFailures(output: string): string {
  const parts = plain(output).split("\n ERRORS \n");
  return parts.length === 1 ? "" : (parts.at(-1)?.split("\n FAILURES \n")[0] ?? "").trim();
}

/** A test by its file and name. */
export interface NamedTest {
  file: string;
  name: string;
}

/** The line that tells of a test that failed and then passed. */
export function flakyLine({ file, name }: NamedTest): string {
  return `flaky: ${file} › ${name}`;
}

/**
 * The tests that failed, by the list at the end of a run; null when that is not all, as after an
 * error outside of any test. A name that several files of the run have stands for all of them.
 */
export function failedTests(output: string, report: readonly ReportLine[]): NamedTest[] | null {
  const list = plain(output).split("\n FAILURES \n").at(-1)?.split(/\n\n(?=FAILED \|)/)[0] ?? "";
  const registered = report.filter(({ at }) => at !== undefined);
  const failed: NamedTest[] = [];
  for (const line of list.split("\n").filter((line) => line.trim() !== "")) {
    const told = /^(.*) => \.?\S+:\d+:\d+$/.exec(line)?.[1];
    const found = registered.filter(({ name }) =>
      name === told || told?.startsWith(`${name} ... `)
    );
    if (found.length === 0) return null;
    failed.push(...found.map(({ file, name }) => ({ file, name })));
  }
  return failed;
}

/** How long something took. */
export interface Time {
  name: string;
  seconds: number;
}

/** How long the tests of each file took. */
export function fileTimes(report: readonly ReportLine[]): Time[] {
  const sums = new Map<string, number>();
  for (const { file, ms = 0 } of report) sums.set(file, (sums.get(file) ?? 0) + ms);
  return [...sums].map(([name, ms]) => ({ name, seconds: ms / 1000 }));
}

/** The lines of a report. A run that was ended may have left half of the last one. */
export function readReport(text: string): ReportLine[] {
  return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

/** Output with the tests' own files in the place of the modules that import them. */
export function withFiles(output: string, report: readonly ReportLine[]): string {
  const registered = report.filter(({ at }) => at !== undefined);
  const places = new Map(registered.map(({ name, at = "" }) => [name, at]));
  return plain(output)
    .replace(/^\S+\/\d{3}_\w+_test\.ts => /gm, "")
    .replace(/^(.*) => \S*support\/run\/each_file\.ts:\d+:\d+$/gm, (line, name: string) => {
      const at = places.get(name.split(" ... ")[0] ?? "") ?? places.get(name);
      return at === undefined ? line : `${name} => ${at}`;
    });
}
