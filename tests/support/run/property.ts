/**
 * How often properties are tried: importing this makes 25 runs the usual number, and a quarter of
 * any other that is asked for by {@linkcode runs}. With `CI` in the environment it is all of them:
 * 100, unless a test says otherwise.
 */
import fc from "fast-check";

const isThorough = Boolean(Deno.env.get("CI"));

/** For `numRuns` of a property: all of a number with `CI` in the environment, else a quarter. */
export function runs(count: number): number {
  return isThorough ? count : Math.ceil(count / 4);
}

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(100) });

export { fc };
