/**
 * Part of the build: compiles the server's scripts, so that Deno keeps the compiled code with the
 * build. None of them is run: a module that throws is imported before each.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleFolder } from "../core/config/app_folder.ts";

const refusal = "data:text/javascript,throw null";

for (const script of scriptsBelow(bundleFolder)) {
  const code = `import "${refusal}"; import ${JSON.stringify(pathToFileURL(script).href)};`;
  await import(`data:text/javascript,${encodeURIComponent(code)}`).catch((error) => {
    if (error !== null) throw error;
  });
}

function scriptsBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    return isDirectory ? scriptsBelow(path) : path.endsWith(".js") ? [path] : [];
  });
}
