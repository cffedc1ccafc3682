/** Which tests a change concerns, by what they import. */
import { dirname, join, relative, resolve } from "node:path";
import { filesAt } from "./test_files.ts";

/** `from "./x.ts"`, `import("./x.ts")`, `new URL("./x.ts", …)`: static, as all imports here are. */
const reference = /(?:\bfrom|\bimport|\bURL)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

/**
 * The files of tests that import one of some files, however indirectly, and those among them that
 * are tests. A test that starts the real server does not import what runs there.
 *
 * @param top the project's folder, absolute
 * @param files paths from there
 * @returns paths from there, sorted
 */
export function testsOf(top: string, files: readonly string[]): string[] {
  return nearestTests(top, files).sort();
}

/** The same, but those first that reach one of the files by the fewest imports. */
export function nearestTests(top: string, files: readonly string[]): string[] {
  const wanted = new Set(files.map((file) => join(top, file)));
  const references = new Map<string, string[]>();
  return filesAt(join(top, "tests")).filter((path) => /_test\.tsx?$/.test(path))
    .map((path) => ({ path: relative(top, path), steps: stepsFrom(path) }))
    .filter(({ steps }) => steps < Infinity)
    .sort((a, b) => a.steps - b.steps || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);

  function stepsFrom(test: string): number {
    const steps = new Map([[test, 0]]);
    for (const [path, count] of steps) {
      if (wanted.has(path)) return count;
      let next = references.get(path);
      if (!next) references.set(path, next = referencesIn(path));
      for (const each of next) if (!steps.has(each)) steps.set(each, count + 1);
    }
    return Infinity;
  }
}

function referencesIn(path: string): string[] {
  if (!/\.tsx?$/.test(path)) return [];
  try {
    const text = Deno.readTextFileSync(path);
    return [...text.matchAll(reference)].map(([, to = ""]) => resolve(dirname(path), to));
  } catch {
    return [];
  }
}

/**
 * The files that differ from `main` or are not committed yet, as git names them.
 *
 * @throws Error when git does not answer
 */
export async function changedFiles(): Promise<string[]> {
  const base = await git("merge-base", "main", "HEAD");
  const lists = [
    await git("diff", "--name-only", base.trim()),
    await git("ls-files", "--others", "--exclude-standard"),
  ];
  return lists.flatMap((list) => list.split("\n")).filter((name) => name !== "");
}

async function git(...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot tell what changed: ${decoder.decode(stderr).trim()}`);
  return decoder.decode(stdout);
}
