/** Which files are tests. */
import { join, relative, resolve } from "node:path";

/** The project's folder. */
export const top = new URL("../../..", import.meta.url).pathname;

/**
 * The files of tests at or below some paths.
 *
 * @param paths from the project's folder
 * @returns paths from there, sorted
 */
export function testsBelow(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => filesAt(resolve(top, path)));
  return [...new Set(files)].filter((path) => /_test\.tsx?$/.test(path))
    .map((path) => relative(top, path)).sort();
}

/** The files at or below a path, as it is given. */
export function filesAt(path: string): string[] {
  if (!Deno.statSync(path).isDirectory) return [path];
  return [...Deno.readDirSync(path)].flatMap(({ name }) => filesAt(join(path, name)));
}
