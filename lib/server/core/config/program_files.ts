/**
 * The program's own files: texts, style sheets, and the files of packages. Only here does the
 * running server read them; files of users are opened by `lib/server/core/access` alone.
 */

const TOP = new URL("../../../../", import.meta.url);

/**
 * Reads a text file of the program.
 *
 * @param path from the top of the program, such as `locales/en.json`
 */
export function readProgramText(path: string): string {
  return Deno.readTextFileSync(addressOf(path));
}

/**
 * Lists a folder of the program, sorted by name.
 *
 * @param folder from the top of the program, with a slash at its end, such as `locales/`
 */
export function listProgramFolder(folder: string): Deno.DirEntry[] {
  return [...Deno.readDirSync(addressOf(folder))].sort((a, b) => a.name < b.name ? -1 : 1);
}

/**
 * Reads a file of a package.
 *
 * @param address as `import.meta.resolve` gives it
 */
export function readPackageFile(address: string): Promise<Uint8Array<ArrayBuffer>> {
  return Deno.readFile(new URL(address));
}

function addressOf(path: string): URL {
  return new URL(path.split("/").map(encodeURIComponent).join("/"), TOP);
}
