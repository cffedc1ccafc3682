/** Tests in fewer modules. */
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";

/** Few enough that some are left for every processor to the end. */
const mostFiles = 12;

/**
 * Writes modules that import the tests of one folder each, up to a dozen. `deno test` runs every
 * module in a thread of its own, which loads and compiles all that is imported: with a module for
 * each test that is a third of the work of tests that are short.
 *
 * @param tests absolute, with the folders below it
 * @param to a folder for the modules
 */
export function putTogether(tests: string, to: string): void {
  for (const folder of [tests, ...foldersBelow(tests)]) {
    const files = [...Deno.readDirSync(folder)].map(({ name }) => name)
      .filter((name) => /_test\.tsx?$/.test(name)).sort();
    const count = Math.ceil(files.length / mostFiles);
    for (let index = 0; index < count; index++) {
      const imports = files.filter((_, at) => at % count === index)
        .map((name) => `import "${pathToFileURL(join(folder, name))}";\n`);
      const name = [...relative(tests, folder).split("/"), index, "test.ts"].join("_");
      Deno.writeTextFileSync(join(to, name), imports.join(""));
    }
  }
}

function foldersBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory)
    .flatMap(({ name }) => [join(folder, name), ...foldersBelow(join(folder, name))]);
}
