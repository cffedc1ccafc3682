/**
 * `deno run -A tests/fresh/real_fresh.ts [--from FOLDER]… [--into FOLDER] [WORD…]`: runs checks on a
 * copy of the project that has the published Fresh instead of lib/fresh. The words are those of
 * `deno task test`; without any, format, lint, types, routes, security and e2e are run.
 *
 * The packages come from JSR, or from the sources in the folders of `--from`: clones of Fresh, of
 * Deno's standard library, and whatever else Fresh needs of JSR. `--into` keeps the copy.
 */
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { temporaryFolder } from "../support/disks/files.ts";
import { copySources } from "../support/disks/sources.ts";
import { top } from "../support/run/test_files.ts";

const usual = ["format", "lint", "types", "build", "routes", "security", "e2e"];

/** The manifest of a package, or of a workspace. */
interface Manifest {
  name?: string;
  version?: string;
  exports?: unknown;
  imports?: Record<string, string>;
  compilerOptions?: { jsx?: string };
}

/** A package in a folder of sources, with the imports of its workspace. */
interface Package {
  folder: string;
  manifest: Manifest;
  /** The sources, by their paths in the folder. */
  modules: Map<string, string>;
}

/** Specifiers of imports and exports that are neither paths nor URLs. */
const importing = /\b(?:from|import)\s*\(?\s*"([@\w][^":]*)"/g;

function read(path: string): Manifest | null {
  try {
    return JSON.parse(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** The packages at or below a folder, which import each other by name. */
function workspaceIn(folder: string): Package[] {
  const packages = packagesIn(folder);
  const members = packages.map(({ manifest: { name, version } }) =>
    [name, `jsr:${name}@^${version}`] as const
  );
  for (const { manifest } of packages) {
    manifest.imports = { ...Object.fromEntries(members), ...manifest.imports };
  }
  return packages;
}

function packagesIn(folder: string, workspace: Manifest["imports"] = {}): Package[] {
  const manifest = read(join(folder, "deno.json"));
  const imports = { ...workspace, ...manifest?.imports };
  if (manifest?.name !== undefined && manifest.exports !== undefined) {
    return [{ folder, manifest: { ...manifest, imports }, modules: modulesIn(folder) }];
  }
  return foldersIn(folder).flatMap((name) => packagesIn(join(folder, name), imports));
}

function foldersIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)]
    .filter(({ name, isDirectory }) =>
      isDirectory && !/^(\.|(node_modules|tests|testdata)$)/.test(name)
    )
    .map(({ name }) => name);
}

function modulesIn(folder: string, top = folder): Package["modules"] {
  const modules = new Map<string, string>();
  for (const name of foldersIn(folder)) {
    for (const [path, text] of modulesIn(join(folder, name), top)) modules.set(path, text);
  }
  for (const { name, isFile } of Deno.readDirSync(folder)) {
    if (!isFile || !/\.(tsx?|m?js|json)$/.test(name) || /_(test|bench)\./.test(name)) continue;
    const path = join(folder, name);
    modules.set(relative(top, path), Deno.readTextFileSync(path));
  }
  return modules;
}

/** The imports of a package's manifest that its sources need, as JSR writes them into these. */
function importsOf({ manifest, modules }: Package): Record<string, string> {
  const used = [...modules.values()]
    .flatMap((text) => [...text.matchAll(importing)].map(([, specifier = ""]) => specifier));
  const isUsed = (name: string) =>
    used.some((specifier) => specifier === name || specifier.startsWith(`${name}/`));
  return Object.fromEntries(
    Object.entries(manifest.imports ?? {}).filter(([name]) => isUsed(name)),
  );
}

/**
 * Writes `@fresh/core` and the packages that it needs, each with a manifest of its own.
 *
 * @returns their folders
 * @throws Error naming a package that no folder has
 */
function writePackages(sources: readonly string[], to: string): string[] {
  const all = new Map(sources.flatMap(workspaceIn).map((found) => [found.manifest.name, found]));
  const written = new Map<string, string>();
  const waiting = ["@fresh/core"];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (written.has(name)) continue;
    const found = all.get(name);
    if (found === undefined) throw new Error(`Cannot find "${name}" in ${sources.join(", ")}`);
    const folder = join(to, name);
    written.set(name, folder);
    for (const [path, text] of found.modules) {
      // Errors of the types in packages do not count, as when they come from JSR.
      write(join(folder, path), /\.tsx?$/.test(path) ? `// @ts-nocheck\n${text}` : text);
    }
    const imports = importsOf(found);
    const { version, exports } = found.manifest;
    write(join(folder, "deno.json"), JSON.stringify({ name, version, exports, imports }));
    for (const target of Object.values(imports)) {
      const [, needed] = /^jsr:\/?(@[^/]+\/[^/@]+)/.exec(target) ?? [];
      if (needed !== undefined) waiting.push(needed);
    }
  }
  return [...written.values()];
}

function write(path: string, text: string): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, text);
}

/** Puts other packages in the place of lib/fresh, as lib/fresh/README.md says. */
function swap(app: string, packages: readonly string[]): void {
  const links = packages.map((folder) => `"./${relative(app, folder)}", `);
  replace(join(app, "deno.json"), '"./lib/fresh", ', links.join(""));
  // The process of esbuild, which Fresh keeps, would count as a leak of the test that builds first.
  const sanitizers = ', "--sanitize-ops", "--sanitize-resources"';
  replace(join(app, "tests/support/run/checks.ts"), sanitizers, "");
}

function replace(path: string, from: string, to: string): void {
  const text = Deno.readTextFileSync(path);
  if (!text.includes(from)) throw new Error(`Cannot find ${from} in ${path}`);
  Deno.writeTextFileSync(path, text.replace(from, () => to));
}

async function deno(cwd: string, ...args: string[]): Promise<number> {
  const { code } = await new Deno.Command(Deno.execPath(), { args, cwd, stdin: "null" }).spawn()
    .status;
  return code;
}

async function run(app: string, sources: readonly string[], words: string[]): Promise<number> {
  await copySources(top, app);
  // The server may read nothing outside of its folder; this one is no part of the project.
  swap(app, sources.length === 0 ? [] : writePackages(sources, join(app, "_package")));
  for (const args of [["fmt", "--quiet", "deno.json"], ["install", "--quiet"]]) {
    const code = await deno(app, ...args);
    if (code !== 0) return code;
  }
  return await deno(app, "task", "test", ...words);
}

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: { from: { type: "string", multiple: true }, into: { type: "string" } },
});
const sources = (values.from ?? []).map((folder) => Deno.realPathSync(folder));
const words = positionals.length === 0 ? usual : positionals;
if (values.into === undefined) {
  await using folder = await temporaryFolder();
  Deno.exitCode = await run(folder.path, sources, words);
} else {
  Deno.mkdirSync(values.into, { recursive: true });
  Deno.exitCode = await run(Deno.realPathSync(values.into), sources, words);
}
