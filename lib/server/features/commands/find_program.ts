import { join } from "node:path";

/**
 * Finds the program that a word names: a path as it is, anything else in the folders of `PATH`.
 *
 * @returns null when there is no such program
 */
export function findProgram(word: string, searchPath: string): string | null {
  if (word.includes("/")) return isProgram(word) ? word : null;
  if (word === "") return null;
  const places = searchPath.split(":").map((folder) => join(folder, word));
  return places.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && ((mode ?? 0) & 0o111) !== 0;
  } catch {
    return false;
  }
}
