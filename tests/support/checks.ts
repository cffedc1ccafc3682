/** The checks that `deno task test` runs, in order, and how the arguments choose among them. */

/** One run of the `deno` binary that counts as one check, or as the tests it reports. */
export interface Check {
  /** What the arguments call it. */
  name: string;
  /** Arguments of `deno`. */
  args: string[];
  /** `tests`: the answer is `deno test`'s summary; `one`: the exit status alone. */
  counts: "tests" | "one";
  /** Whether it drives a browser. */
  browser?: boolean;
}

const testing = ["test", "-A", "--no-check", "--sanitize-ops", "--sanitize-resources"];

function group(name: string, parallel = true): Check {
  const args = [...testing, ...(parallel ? ["--parallel"] : []), `tests/${name}/`];
  return { name, args, counts: "tests" };
}

/**
 * Everything there is to check. Types are checked once for all files, so the tests need not do it
 * again; the build is made before the first test that may start a server.
 */
export const checks: readonly Check[] = [
  { name: "format", args: ["fmt", "--check"], counts: "one" },
  { name: "lint", args: ["lint"], counts: "one" },
  { name: "types", args: ["check"], counts: "one" },
  { name: "build", args: ["run", "-A", "tests/support/build.ts"], counts: "one" },
  group("unit"),
  { ...group("fresh"), browser: true },
  group("routes"),
  group("security"),
  { ...group("e2e", false), browser: true },
];

/**
 * The checks that the arguments ask for: names of {@linkcode checks} (`unit`, `lint`) or paths of
 * tests (`tests/unit/kv`, a file); all when there are none.
 *
 * @throws Error for a word that is neither.
 */
export function chooseChecks(words: readonly string[]): Check[] {
  if (words.length === 0) return [...checks];
  return words.map((word) => checks.find(({ name }) => name === word) ?? checkOfPath(word));
}

function checkOfPath(path: string): Check {
  try {
    Deno.statSync(path);
  } catch {
    const known = checks.map(({ name }) => name).join(", ");
    throw new Error(`Cannot test "${path}": neither a path nor one of ${known}`);
  }
  const browser = /(^|\/)(e2e|fresh)(\/|$)/.test(path);
  return { name: path, args: [...testing, path], counts: "tests", browser };
}
