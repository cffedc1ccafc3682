/**
 * Part of the build: bundles the server, which starts in half of the time from a hundred scripts as
 * from a thousand modules. Each process and each Worker gets a script of its own, at its path below
 * `_fresh/bundle/`; what only some servers use stays in chunks that are loaded late.
 */
import { dirname, join, posix, relative } from "node:path";
import { appFolder, builtFolder, bundledPath, bundleFolder } from "../core/config/app_folder.ts";

/** What the server process and its threads share: each module is to exist once in a thread. */
const serverEntries = [
  "_fresh/server.js",
  ...["serve", "thread", "slow_disks_worker"].map((name) => `lib/server/boot/${name}.ts`),
];

/** The programs that people start, which the npm package has in place of their modules. */
const commandLine = "lib/server/cli/cubby.ts";
const otherPrograms = ["launcher", "ask_health", "compile", "warm", "trial"]
  .map((name) => `lib/server/boot/${name}.ts`);

/** How commands of the command line name the route whose call they make. */
const routeName = /\broute: "([^"]+)"/g;

/** Packages that stay outside, by the names that we import. */
export const outside: readonly string[] = [
  // Native code or WebAssembly beside their modules.
  ...["@node-rs/bcrypt", "sharp", "snappy", "lz4-napi", "@napi-rs/lzma", "@napi-rs/lzma/xz"],
  ...["7z-wasm", "bzip2-wasm", "libheif-js/wasm-bundle.js"],
  ...["jpeg", "png", "gif"].map((name) => `imagescript/wasm/node/${name}.js`),
  // CommonJS that is imported late.
  "saxes",
];

/** A chunk of a CommonJS module that is imported late: it would have lost the names of its exports. */
const withoutNames = /^export default require_\w+\(\);$/m;

/** A module that is named by its address: that of a Worker, or of a program in a process. */
const addressed = /\bnew URL\("(\.[^"]+\.ts)", import\.meta\.url\)/g;

/** The same, or the address of the module itself. */
const ownAddress = new RegExp(`${addressed.source}|\\bimport\\.meta\\.url\\b`, "g");

/**
 * An import that Deno can name before it runs: it reads that script and all that it imports at the
 * start, and keeps their sources, and 1.3 KB for each import statement.
 */
const namedImport = /\bimport\(("\.[^"]+")\)/g;

/** The line with which the bundler begins each module. */
const moduleLine = /^\/\/ (\S+\.[cm]?[jt]sx?)$/;

/**
 * @param document the description of all calls: routes in the bundle have no files to be found by
 * @throws {Error} when a module cannot be bundled
 */
export async function bundleServer(document: object): Promise<void> {
  await Deno.remove(bundleFolder, { recursive: true }).catch(() => {});
  const external = [...outside, ...lateInBrowsers()];
  const programs = modulesBelow("lib/server").flatMap(addressedModules)
    .filter((path) => !serverEntries.includes(path));
  const groups = [
    { entries: serverEntries, folder: "." },
    { entries: [commandLine, ...routesOfCommands()], folder: "." },
    ...[...new Set([...otherPrograms, ...programs])]
      .map((path) => ({ entries: [path], folder: dirname(path) })),
  ];
  const entries = new Set(groups.flatMap(({ entries }) => entries));
  for (const { entries: paths, folder } of groups) {
    const { success, errors, outputFiles = [] } = await Deno.bundle({
      entrypoints: paths.map((path) => join(appFolder, path)),
      outputDir: join(bundleFolder, folder),
      write: false,
      format: "esm",
      platform: "deno",
      codeSplitting: true,
      sourcemap: "linked",
      external,
    });
    if (!success) {
      throw new Error(`Cannot bundle the server: ${errors.map(({ text }) => text).join("; ")}`);
    }
    for (const { path, text } of outputFiles) {
      Deno.mkdirSync(dirname(path), { recursive: true });
      const code = text();
      if (withoutNames.test(code)) {
        throw new Error(`Cannot bundle the server: ${path} is CommonJS, which has to stay outside`);
      }
      const isScript = path.endsWith(".js");
      const content = isScript ? withAddresses(path, code, entries) : linesOf(code);
      Deno.writeTextFileSync(path, content);
    }
  }
  // Otherwise Deno looks for one in all folders above, for each script.
  Deno.writeTextFileSync(join(bundleFolder, "package.json"), '{ "type": "module" }\n');
  Deno.writeTextFileSync(join(builtFolder, "openapi.json"), JSON.stringify(document));
}

/**
 * A source map of lines alone, and without the sources themselves. Deno reads maps at the start, and
 * keeps them.
 */
function linesOf(map: string): string {
  const { mappings, ...others } = JSON.parse(map);
  let [source, line] = [0, 0];
  let [formerSource, formerLine] = [0, 0];
  const lines = String(mappings).split(";").map((segments) => {
    let first: [source: number, line: number] | undefined;
    for (const segment of segments.split(",")) {
      const [, sources, lines] = decodeNumbers(segment);
      if (sources === undefined || lines === undefined) continue;
      source += sources;
      line += lines;
      first ??= [source, line];
    }
    if (!first) return "";
    const [ofSource, ofLine] = [first[0] - formerSource, first[1] - formerLine];
    [formerSource, formerLine] = first;
    return [0, ofSource, ofLine, 0].map(encodeNumber).join("");
  });
  return JSON.stringify({
    ...others,
    names: [],
    sourcesContent: undefined,
    mappings: lines.join(";"),
  });
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Numbers in variable-length base 64 (https://tc39.es/ecma426/): 5 bits a digit, the sign last. */
function decodeNumbers(text: string): number[] {
  return [...text.matchAll(/[g-z0-9+/]*[A-Za-f]/g)].map(([word]) => {
    const value = [...word].reduceRight((sum, digit) => sum * 32 + digits.indexOf(digit) % 32, 0);
    return value % 2 === 0 ? value / 2 : -(value - 1) / 2;
  });
}

function encodeNumber(number: number): string {
  let [text, rest] = ["", number < 0 ? -number * 2 + 1 : number * 2];
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += digits[rest % 32 + 32];
  return text + digits[rest];
}

/**
 * A script whose modules find files as from their own places: they name the program's folder, and
 * Workers, by paths from there. Lines stay what they are, for the source map.
 */
function withAddresses(output: string, code: string, entries: ReadonlySet<string>): string {
  const addressOf = (path: string) => {
    const way = encodeURI(relative(dirname(output), path).replaceAll("\\", "/"));
    return `new URL("${way}", import.meta.url)`;
  };
  let module = "node_modules/";
  return code.split("\n").map((line) => {
    module = moduleLine.exec(line)?.[1] ?? module;
    if (module.startsWith("node_modules/")) return line;
    return line.replace(ownAddress, (_, way?: string) => {
      if (way === undefined) return `${addressOf(join(appFolder, module))}.href`;
      const path = posix.join(posix.dirname(module), way);
      return addressOf(entries.has(path) ? bundledPath(path) : join(appFolder, path));
    });
  }).join("\n").replace(namedImport, "import(String($1))").replace(/[^\0-\x7f]/g, escape);
}

/** V8 keeps a script in twice the memory if a character of it is not in ASCII. */
function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The routes that the command line loads late. */
function routesOfCommands(): string[] {
  const names = modulesBelow("lib/server/cli").flatMap((path) =>
    [...readModule(path).matchAll(routeName)].map(([, name]) => `routes/api/${name}.ts`)
  );
  return [...new Set(names)];
}

function addressedModules(path: string): string[] {
  return [...readModule(path).matchAll(addressed)]
    .map(([, way = ""]) => posix.join(posix.dirname(path), way));
}

/** The late parts of pages, which no server loads, unless another module imports the same name. */
function lateInBrowsers(): string[] {
  const late = new Set<string>();
  const others = new Set<string>();
  for (const path of modulesBelow("components", "islands", "lib", "routes")) {
    const isOfPages = /^(?:components|islands|lib\/client)\//.test(path);
    const code = readModule(path);
    for (const [, call, name = ""] of code.matchAll(/\b(import\(|from |import )"([^"]+)"/g)) {
      (isOfPages && call === "import(" ? late : others).add(name);
    }
  }
  return [...late.difference(others)];
}

function readModule(path: string): string {
  return Deno.readTextFileSync(join(appFolder, path));
}

function modulesBelow(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    [...Deno.readDirSync(join(appFolder, folder))].flatMap(({ name, isDirectory }) => {
      const path = `${folder}/${name}`;
      if (isDirectory) return modulesBelow(path);
      return /\.tsx?$/.test(name) && !name.endsWith(".d.ts") ? [path] : [];
    })
  );
}
