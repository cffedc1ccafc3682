/** What is printed when all checks have ended. */
import type { Outcome } from "./run_check.ts";
import { flakyLine, type NamedTest, type Tally, type Time } from "./tally.ts";

/** The sum of tallies. */
export function sum(tallies: readonly Tally[]): Tally {
  const of = (count: keyof Tally) => tallies.reduce((total, tally) => total + tally[count], 0);
  return { passed: of("passed"), failed: of("failed"), ignored: of("ignored") };
}

/** The time that each check took, and the slowest files of tests. */
export function timeLines(outcomes: readonly Outcome[]): string[] {
  const rows = outcomes.map(({ check, wall, processor, tally }) => [
    check.name,
    time(wall),
    time(processor),
    String(tally.passed + tally.failed),
  ]);
  const files = outcomes.flatMap(({ files }) => files);
  return [
    ...table([["Check", "wall", "processor", "tests"], ...rows]),
    ...(files.length > 0 ? ["", "Slowest files:"] : []),
    ...table(slowest(files).map(({ name, seconds }) => [name, time(seconds)])),
  ];
}

/** The ten that took longest. */
export function slowest(times: readonly Time[]): Time[] {
  return times.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
}

/** The last lines: the very last one is `N passed, N failed`. */
export function lastLines(
  tallies: ReadonlyMap<string, Tally>,
  flaky: readonly NamedTest[],
): string[] {
  const { passed, failed, ignored } = sum([...tallies.values()]);
  const broken = [...tallies].filter(([, { failed }]) => failed > 0).map(([name]) => name);
  return [
    ...(broken.length > 0 ? [`Failed: ${broken.join(", ")}`] : []),
    ...(ignored > 0 ? [`Ignored: ${ignored}`] : []),
    ...flaky.map(flakyLine),
    `${passed} passed, ${failed} failed`,
  ];
}

function time(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}m${String(Math.floor(seconds % 60)).padStart(2, "0")}s`;
}

/** Lines with cells below one another: the first to the left, numbers to the right. */
function table(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0))
  );
  return rows.map((row) =>
    row.map((cell, at) => at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))
      .join("  ")
  );
}
