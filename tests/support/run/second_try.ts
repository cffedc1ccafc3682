/** Tests that failed are tried once more: on a busy machine a browser or a server may be late. */
import type { Check } from "./checks.ts";
import type { NamedTest, Tally } from "./tally.ts";

/** The most files of a check that are tried once more. */
const maxFiles = 5;

/** What second tries need of a check and of what came of it. */
export interface Failed {
  check: Check;
  tally: Tally;
  failed: NamedTest[] | null;
}

/**
 * The checks that try files once more, alone: one for each file that failed, unless so many did
 * that it was no chance. Failures that are no test's are none that another try may mend.
 */
export function secondTries({ check, failed }: Failed): Check[] {
  if (check.byChance || failed === null) return [];
  const files = [...new Set(failed.map(({ file }) => file))].sort();
  if (files.length > maxFiles) return [];
  return files.map((file) => ({ ...check, name: `${file} once more`, files: [file], jobs: 1 }));
}

/** What a check's tally is after second tries, and the tests that only passed then. */
export function afterSecondTries(
  { tally, failed }: Failed,
  tries: readonly { check: Check; tally: Tally }[],
): { tally: Tally; flaky: NamedTest[] } {
  if (failed === null) return { tally, flaky: [] };
  const green = tries.filter(({ tally }) => tally.failed === 0).flatMap(({ check }) => check.files);
  const flaky = failed.filter(({ file }) => green.includes(file));
  const left = failed.length - flaky.length;
  // More may have been named than failed, where tests of one name are in several files.
  const mended = left === 0 ? tally.failed : Math.min(flaky.length, tally.failed - 1);
  const { passed, ignored } = tally;
  return { flaky, tally: { passed: passed + mended, failed: tally.failed - mended, ignored } };
}
