/** Which tests a change concerns, by what they import. */
import { dirname, join, relative, resolve } from "node:path";

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
  const wanted = new Set(files.map((file) => join(top, file)));
  const references = new Map<string, string[]>();
  const concerned = filesBelow(join(top, "tests")).filter((path) =>
    /_test\.tsx?$/.test(path) && reaches(path)
  );
  return concerned.map((path) => relative(top, path)).sort();

  function reaches(test: string): boolean {
    const seen = new Set([test]);
    for (const path of seen) {
      if (wanted.has(path)) return true;
      let next = references.get(path);
      if (!next) references.set(path, next = referencesIn(path));
      for (const each of next) seen.add(each);
    }
    return false;
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

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(join(folder, name)) : [join(folder, name)]
  );
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
