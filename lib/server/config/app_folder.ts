import { join } from "node:path";

/** The program's own folder: real and absolute. */
export const appFolder = Deno.realPathSync(new URL("../../..", import.meta.url));

/** What `deno task build` makes there. */
export const builtFolder = join(appFolder, "_fresh");

/** The module that serves the application. */
export const builtEntry = join(builtFolder, "server.js");

/**
 * What Deno compiles from the program's sources, kept with the build: the confined server reads it
 * there and needs nothing of the account's own cache.
 */
export const compiledFolder = join(builtFolder, "deno");

/** What a build is made from. */
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
 * What nobody may write through the server, also when the served folder holds the program, as it
 * does when it is started in a fresh clone: whatever is run or read as settings, by the server or
 * by a developer. Names that are not there are meant too.
 */
export const codePaths = [
  ...sourceNames,
  ...["_fresh", "node_modules", "tests", "bench", ".ci", ".git", ".gitignore", ".npmrc", ".env"],
  ...["deno.jsonc", "package.json", "tsconfig.json", "vendor"],
].map((name) => join(appFolder, name));
