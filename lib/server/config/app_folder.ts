import { join } from "node:path";

/** The program's own folder: real and absolute. */
export const appFolder = Deno.realPathSync(new URL("../../..", import.meta.url));

/** The output of `deno task build`. */
export const builtFolder = join(appFolder, "_fresh");

/** The module that serves the application. */
export const builtEntry = join(builtFolder, "server.js");

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
  ...sourceNames,
  ...["_fresh", "node_modules", "tests", "bench", ".ci", ".git", ".gitignore", ".npmrc", ".env"],
  ...["deno.jsonc", "package.json", "tsconfig.json", "vendor"],
].map((name) => join(appFolder, name));
