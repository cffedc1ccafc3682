/** Each test by itself, so that those which depend on others of their file fail. */
import type { Check } from "./checks.ts";
import type { NamedTest } from "./tally.ts";

/** The check that runs no test, and so tells which there are. */
export function listing(check: Check): Check {
  return { ...check, name: `tests of ${check.name}`, args: [...check.args, "--filter=/$^/"] };
}

/** A check for each test of a check: it runs that test alone. */
export function eachAlone(check: Check, tests: readonly NamedTest[]): Check[] {
  return tests.map(({ file, name }) => ({
    ...check,
    name: `${file} › ${name}${check.name.endsWith(" two threads") ? " with two threads" : ""}`,
    args: [...check.args, `--filter=/^${RegExp.escape(name)}$/`],
    files: [file],
    jobs: 1,
  }));
}
