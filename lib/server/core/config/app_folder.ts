import { basename, dirname, join } from "node:path";

/** The program's own folder: real and absolute. */
export const appFolder = Deno.realPathSync(new URL("../../../..", import.meta.url));

/** Whether this is the npm package: it comes built, as the bundle alone. */
export const isPackaged = !hasSources();

function hasSources(): boolean {
  try {
    return Deno.statSync(join(appFolder, "deno.json")).isFile;
  } catch {
    return false;
  }
}

/**
 * Whether this code is part of the bundle. There modules keep the addresses of their sources
 * (`import.meta.url`), but not the names of their files.
 */
export const isBundled = !/^app_folder\.[jt]s$/.test(basename(import.meta.filename ?? ""));

/**
 * The folder with the packages that the program uses. The npm package lies in it, unless npm has
 * installed its packages below it.
 */
export const packageFolder = isPackaged ? outermostPackages() : join(appFolder, "node_modules");

/** Flags with which scripts of the bundle find their packages: where they are installed. */
export const asBundle: readonly string[] = [
  ...["--no-config", "--no-lock", "--node-modules-dir=manual", "--unstable-kv"],
];

/** The same for modules as they are in the repository: by the lock file. */
export const asServer: readonly string[] = ["--frozen", "--node-modules-dir=manual"];

/**
 * V8 lets its heaps grow to several times the live data before it collects. Slower growth saves
 * half of the memory under load, and costs some processor time. `--expose-gc` is for
 * `collectGarbage()`. The build has the same flags: V8 rejects code compiled under others, and
 * compiles it again at each start of each thread.
 */
export const v8Flags = "--v8-flags=--max-semi-space-size=8,--heap-growing-percent=75,--expose-gc";

/** The commands that users type, for texts. */
export const commandNames = isPackaged
  ? { start: "cubby-files", cubby: "cubby-files" }
  : { start: "deno task start", cubby: "deno task cubby" };

/** Where this code finds a module of the program, such as `lib/server/cli/cubby.ts`. */
export function modulePath(path: string): string {
  return isBundled ? bundledPath(path) : join(appFolder, path);
}

/** The outermost `node_modules` that holds the program: also that of a store of linked packages. */
function outermostPackages(): string {
  let found = join(appFolder, "node_modules");
  for (let folder = appFolder; dirname(folder) !== folder; folder = dirname(folder)) {
    if (basename(folder) === "node_modules") found = folder;
  }
  return found;
}

/** The output of `deno task build`. */
export const builtFolder = join(appFolder, "_fresh");

/** The server's scripts: see `lib/server/boot/bundle.ts`. */
export const bundleFolder = join(builtFolder, "bundle");

/**
 * The script of a process or of a Worker in the bundle.
 *
 * @param path of its module, such as `lib/server/boot/serve.ts`
 */
export function bundledPath(path: string): string {
  return join(bundleFolder, path.replace(/\.tsx?$/, ".js"));
}

/** The module that serves the application. */
export const builtEntry = bundledPath("_fresh/server.js");

/**
 * Deno's compile cache of the program's sources, kept with the build, so that the confined server
 * does not need the account's own cache.
 */
export const compiledFolder = join(builtFolder, "deno");

/** The inputs of a build. */
export const sourceNames = [
  "components",
  "deno.json",
  "deno.lock",
  "dev.ts",
  "islands",
  "lib",
  "locales",
  "main.ts",
  "routes",
  "static",
];

/**
 * Paths that are read-only for all users, also when the served folder contains the program, as in a
 * fresh clone: files that are run or read as settings, by the server or by a developer. Missing
 * ones are protected, too.
 */
export const codePaths = [
  ...[
    ...sourceNames,
    ...["_fresh", "node_modules", "tests", "bench", ".ci", ".git", ".gitignore", ".npmrc", ".env"],
    ...["deno.jsonc", "package.json", "tsconfig.json", "vendor"],
  ].map((name) => join(appFolder, name)),
  ...isPackaged ? packagePaths() : [],
];

/** The files that npm reads where the package is installed, and the packages, with its runtime. */
function packagePaths(): string[] {
  const names = ["package.json", "package-lock.json", ".npmrc"];
  return [packageFolder, ...names.map((name) => join(dirname(packageFolder), name))];
}
