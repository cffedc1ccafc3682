import { posix } from "node:path";

/**
 * How a module names another:
 *
 * - `run`: the module is loaded with its importer;
 * - `type`: for its types alone, so nothing is loaded;
 * - `lazy`: by `import()`, when the code runs;
 * - `worker`: by `new URL("…", import.meta.url)`, to start it as a Worker or a process of its own.
 */
export type ImportKind = "run" | "type" | "lazy" | "worker";

/** One import, with both paths counted from the top of the repository. */
export interface Import {
  from: string;
  to: string;
  kind: ImportKind;
}

/** The text of modules by their paths, which count from the top of the repository. */
export type Sources = ReadonlyMap<string, string>;

const FOLDERS = ["bench", "components", "deploy", "islands", "lib", "routes", "tests"];

const BLOCK_COMMENT = /^[ \t]*\/\*[^]*?\*\//gm;
const LINE_COMMENT = /^[ \t]*\/\/.*$/gm;
const STATIC =
  /^[ \t]*(?:import|export)\s+(type\s+)?((?:[\w$*\s,]|\{[^{}]*\})*?)(?:from\s+)?"(\.[^"]+)"/gm;
const CALLED = /(\btypeof\s+)?\bimport\(\s*"(\.[^"]+)"[^)]*\)(\.[A-Z])?/g;
const ADDRESS = /\bnew URL\(\s*"(\.[^"]+)",\s*import\.meta\.url,?\s*\)/g;

/** Reads every TypeScript module of the repository. */
export async function readSources(top: URL): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  const read = async (path: string) => {
    sources.set(path, await Deno.readTextFile(new URL(encodeURI(path), top)));
  };
  const walk = async (folder: string) => {
    for await (const entry of Deno.readDir(new URL(encodeURI(`${folder}/`), top))) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) await walk(path);
      else if (/\.tsx?$/.test(path)) await read(path);
    }
  };
  for (const folder of FOLDERS) await walk(folder);
  for (const path of ["main.ts", "dev.ts"]) await read(path);
  return sources;
}

/**
 * Lists the imports between modules by relative path. Names of packages are left out, and so is
 * every address that is put together when the code runs.
 */
export function listImports(sources: Sources): Import[] {
  const found: Import[] = [];
  for (const [from, text] of sources) {
    const code = withoutComments(text);
    const add = (specifier: string | undefined, kind: ImportKind) => {
      const to = posix.join(posix.dirname(from), specifier ?? "");
      if (sources.has(to)) found.push({ from, to, kind });
    };
    for (const [, type, names = "", specifier] of code.matchAll(STATIC)) {
      add(specifier, type || hasOnlyTypes(names) ? "type" : "run");
    }
    for (const [, type, specifier, member] of code.matchAll(CALLED)) {
      add(specifier, type || member ? "type" : "lazy");
    }
    for (const [, specifier] of code.matchAll(ADDRESS)) add(specifier, "worker");
  }
  return found;
}

/** The code of a module without comments that have lines of their own. */
export function withoutComments(text: string): string {
  return text.replace(BLOCK_COMMENT, "").replace(LINE_COMMENT, "");
}

/** Whether each name in the braces of an import is marked as a type. */
function hasOnlyTypes(names: string): boolean {
  const inside = /^\s*\{([^]*)\}\s*$/.exec(names)?.[1];
  const listed = inside?.split(",").map((name) => name.trim()).filter(Boolean) ?? [];
  return listed.length > 0 && listed.every((name) => name.startsWith("type "));
}
