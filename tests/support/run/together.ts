/** Tests in fewer modules. */
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const eachFile = new URL("each_file.ts", import.meta.url).href;

/**
 * Shares files out among modules: only files of one folder meet in one, so many at most. `deno test`
 * runs every module in a thread of its own, which loads and compiles all that is imported: with a
 * module for each test that is a third of the work of tests that are short.
 *
 * @param files paths of tests
 */
export function shareOut(files: readonly string[], atMost: number): string[][] {
  const folders = Object.groupBy(files, (path) => dirname(path));
  return Object.values(folders).flatMap((all = []) => {
    const sorted = all.toSorted();
    const count = Math.ceil(sorted.length / atMost);
    return Array.from(
      { length: count },
      (_, index) => sorted.filter((_, at) => at % count === index),
    );
  });
}

/**
 * Writes a module for each group of files, which imports them in turn. The largest groups begin
 * first: what is long does not run alone in the end.
 *
 * @param top what the paths of the files start from
 * @param to a folder for the modules
 */
export function putTogether(top: string, groups: readonly string[][], to: string): void {
  const largest = groups.toSorted((a, b) => b.length - a.length);
  for (const [index, files] of largest.entries()) {
    const imports = files.map((file) =>
      `begin(${JSON.stringify(file)});\nawait import("${pathToFileURL(join(top, file))}");\n`
    );
    const text = `import { begin } from "${eachFile}";\n${imports.join("")}`;
    const number = String(index).padStart(3, "0");
    const name = dirname(files[0] ?? "").replaceAll("/", "_");
    Deno.writeTextFileSync(join(to, `${number}_${name}_test.ts`), text);
  }
}
