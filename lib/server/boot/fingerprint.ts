import { createHash } from "node:crypto";
import { join } from "node:path";

/**
 * A digest that changes whenever a file below one of the names is added, removed or written: of
 * paths, sizes and times, so that a thousand files take a few milliseconds.
 *
 * @param folder the folder of the names, absolute
 * @param names files and folders; those that are missing count as missing
 * @param more further inputs of the result
 */
export function fingerprint(folder: string, names: readonly string[], more: string[]): string {
  const hash = createHash("sha256");
  for (const text of more) hash.update(`${text}\n`);
  for (const name of names) addEntry(folder, name);
  return hash.digest("hex");

  function addEntry(parent: string, name: string): void {
    const path = join(parent, name);
    const info = infoOf(path);
    if (!info?.isDirectory) {
      hash.update(`${path}\0${info?.size}\0${info?.mtime?.getTime()}\n`);
      return;
    }
    const names = [...Deno.readDirSync(path)].map((entry) => entry.name);
    for (const name of names.sort()) addEntry(path, name);
  }
}

function infoOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
