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
  const line = [...output.replace(colours, "").matchAll(summary)].at(-1);
  const tally = {
    passed: Number(line?.[1] ?? 0),
    failed: Number(line?.[2] ?? 0),
    ignored: Number(line?.[3] ?? 0),
  };
  if ((status !== 0 || !line) && tally.failed === 0) tally.failed = 1;
  return tally;
}

/** Which tests failed and why, as `deno test` told at its end; empty when none did. */
export function readFailures(output: string): string {
  const parts = output.replace(colours, "").split("\n ERRORS \n");
  return parts.length === 1 ? "" : (parts.at(-1)?.split("\n FAILURES \n")[0] ?? "").trim();
}

/** How long a test took. */
export interface TestTime {
  name: string;
  seconds: number;
}

const timed = /^(?:.* => )?(\S.*) \.\.\. (?:ok|FAILED) \((?:(\d+)m)?(\d+)s\)$/gm;

/** The times of tests (not of their steps) that took a second or more, in the order they ended. */
export function readTimes(output: string): TestTime[] {
  return [...output.replace(colours, "").matchAll(timed)].map((
    [, name = "", minutes, seconds],
  ) => ({
    name,
    seconds: Number(minutes ?? 0) * 60 + Number(seconds),
  }));
}
