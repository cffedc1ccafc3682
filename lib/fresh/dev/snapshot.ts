import { join, relative } from "node:path";
import type { FoundRoute } from "./crawl.ts";
import { specifierFrom, toPosix, writeFile } from "./paths.ts";
import type { Asset } from "./static_assets.ts";

/** The module of one or more islands, and its script. */
export interface IslandModule {
  /** The name of its default export. */
  name: string;
  /** Its path, or the specifier it was registered with. */
  path: string;
  /** The path of its script, without the base path. */
  file: string;
}

/** Everything that a build found and made. */
export interface BuildResult {
  buildId: string;
  clientEntry: string;
  islands: IslandModule[];
  routes: FoundRoute[];
  assets: Asset[];
}

/** The output paths of a build. */
export interface OutputPaths {
  root: string;
  outDir: string;
  serverEntry: string;
}

const NOTICE = "// Made by the build. Changes are lost.\n";

/** Writes a build to disk: the server's entry, the snapshot and the files that the build made. */
export async function writeBuild(result: BuildResult, paths: OutputPaths): Promise<void> {
  const { outDir } = paths;
  await Deno.remove(join(outDir, "static"), { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await Promise.all(
    result.assets.filter(({ isUnchanged }) => !isUnchanged).map(({ pathname, content }) =>
      writeFile(join(outDir, "static", pathname), content)
    ),
  );
  await writeFile(join(outDir, "islands.js"), islandsModule(result, paths));
  await writeFile(join(outDir, "snapshot.js"), snapshotModule(result, paths));
  await writeFile(join(outDir, "server.js"), serverModule(paths));
  await writeFile(join(outDir, "compiled-entry.js"), compiledEntry());
}

/** Registers islands before any other module runs, wherever that module creates its elements. */
function islandsModule({ islands }: BuildResult, { outDir }: OutputPaths): string {
  const imports = islands.map(({ path }, i) =>
    `import * as island${i} from ${quote(specifierFrom(outDir, path))};\n`
  );
  const calls = islands.map(({ name, file }, i) =>
    `preparer.prepare(islands, island${i}, ${quote(file)}, ${quote(name)});\n`
  );
  return `${NOTICE}import { IslandPreparer } from "fresh/internal";
${imports.join("")}
export const islands = new Map();
const preparer = new IslandPreparer();
${calls.join("")}`;
}

function snapshotModule(result: BuildResult, { root, outDir }: OutputPaths): string {
  const imports = result.routes.map(({ lazy, path }, i) =>
    lazy ? "" : `import * as route${i} from ${quote(specifierFrom(outDir, path))};\n`
  );
  const routes = result.routes.map(({ lazy, path, id, kind, pattern, routePattern }, i) => {
    const mod = lazy ? `() => import(${quote(specifierFrom(outDir, path))})` : `route${i}`;
    return `  { ...${quote({ id, kind, pattern, routePattern })}, mod: ${mod} },\n`;
  });
  const files = result.assets.map(({ pathname, source, isUnchanged, hash, contentType }) => {
    const path = source !== null && isUnchanged ? source : join(outDir, "static", pathname);
    const filePath = toPosix(relative(root, path));
    return `  [${quote(pathname)}, ${quote({ filePath, hash, contentType })}],\n`;
  });
  return `${NOTICE}export { islands } from "./islands.js";
${imports.join("")}
export const version = ${quote(result.buildId)};
export const clientEntry = ${quote(result.clientEntry)};
export const fsRoutes = [
${routes.join("")}];
export const staticFiles = new Map([
${files.join("")}]);
`;
}

function serverModule({ root, outDir, serverEntry }: OutputPaths): string {
  const way = toPosix(relative(outDir, root)) || ".";
  return `${NOTICE}import { fileURLToPath } from "node:url";
import { attachBuild, ProdBuildCache } from "fresh/internal";
import * as snapshot from "./snapshot.js";
import { app } from ${quote(specifierFrom(outDir, serverEntry))};

const root = fileURLToPath(new URL(${quote(way)}, import.meta.url)).replace(/[\\\\/]$/, "");
attachBuild(app, new ProdBuildCache(root, snapshot));

export default { fetch: app.handler() };
`;
}

function compiledEntry(): string {
  return `${NOTICE}import server from "./server.js";

const port = Deno.env.get("PORT");
Deno.serve({ port: port && Number(port), hostname: Deno.env.get("HOSTNAME") }, server.fetch);
`;
}

function quote(value: unknown): string {
  return JSON.stringify(value);
}
