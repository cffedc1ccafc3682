import { dirname, join } from "node:path";

/**
 * Makes sure that JSX is compiled for Preact.
 *
 * @throws {Error} when the deno.json of the application does not set `jsxImportSource`.
 */
export async function checkDenoCompilerOptions(root: string): Promise<void> {
  for (let folder = root;; folder = dirname(folder)) {
    const text = await readConfig(folder);
    if (text !== null && /"jsxImportSource"\s*:\s*"[^"]+"/.test(text)) return;
    if (folder === dirname(folder)) break;
  }
  throw new Error('Cannot build: set compilerOptions.jsxImportSource to "preact" in deno.json');
}

async function readConfig(folder: string): Promise<string | null> {
  for (const name of ["deno.json", "deno.jsonc"]) {
    try {
      return await Deno.readTextFile(join(folder, name));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return null;
}
