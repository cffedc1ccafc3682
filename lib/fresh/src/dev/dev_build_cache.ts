import { join, relative } from "node:path";
import { type BuildCache, IslandPreparer, type StaticFile } from "../build_cache.ts";
import type { ServerIslandRegistry } from "../context.ts";
import type { FsRouteFile } from "../fs_routes.ts";
import { assetInternal } from "../runtime/shared_internal.ts";
import { pathToFileUrl, pathToSpec, toPosix, writeFile } from "../utils.ts";
import { type FoundRoute, walkDir } from "./fs_crawl.ts";

/** A build that is kept in memory: for tests, and for the development server. */
export async function memoryBuild(
  result: BuildResult,
  root: string,
  liveReload: boolean,
): Promise<BuildCache> {
  const islands: ServerIslandRegistry = new Map();
  const preparer = new IslandPreparer();
  for (const { name, path, file } of result.islands) {
    preparer.prepare(islands, await import(pathToFileUrl(path)), file, name);
  }

  const fsRoutes: FsRouteFile[] = [];
  for (const { id, kind, pattern, routePattern, path, lazy } of result.routes) {
    const url = pathToFileUrl(path);
    const mod = lazy ? () => import(url) : await import(url);
    fsRoutes.push({ id, kind, pattern, routePattern, mod });
  }

  const assets = new Map(result.assets.map((asset) => [asset.pathname, asset]));
  return {
    root,
    buildId: result.buildId,
    clientEntry: result.clientEntry,
    liveReload,
    islands,
    fsRoutes,
    async staticFile(pathname) {
      const asset = assets.get(pathname);
      if (asset === undefined) return null;
      const { source } = asset;
      return fileOf(source === null ? asset : await readAsset(pathname, source, result.buildId));
    },
  };
}

function fileOf({ hash, contentType, content }: Asset): StaticFile {
  const file = { size: content.length, body: content };
  return { hash, contentType, open: () => Promise.resolve(file) };
}

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
    `import * as island${i} from ${quote(pathToSpec(outDir, path))};\n`
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
    lazy ? "" : `import * as route${i} from ${quote(pathToSpec(outDir, path))};\n`
  );
  const routes = result.routes.map(({ lazy, path, id, kind, pattern, routePattern }, i) => {
    const mod = lazy ? `() => import(${quote(pathToSpec(outDir, path))})` : `route${i}`;
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
import { setBuildCache, ProdBuildCache } from "fresh/internal";
import * as snapshot from "./snapshot.js";
import { app } from ${quote(pathToSpec(outDir, serverEntry))};

const root = fileURLToPath(new URL(${quote(way)}, import.meta.url)).replace(/[\\\\/]$/, "");
setBuildCache(app, new ProdBuildCache(root, snapshot));

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

/** A static file of the build: one on disk, or one that the build made. */
export interface Asset {
  /** The path it is served at, decoded and without the base path. */
  pathname: string;
  /** The Content-Type to send. */
  contentType: string;
  /** SHA-256 of the content in hex. */
  hash: string;
  /** Its content, as it is served. */
  content: Uint8Array<ArrayBuffer>;
  /** The file it comes from; null when the build made it. */
  source: string | null;
  /** Whether the content is that of the file, byte for byte. */
  isUnchanged: boolean;
}

const CSS_URL = /url\(\s*(?:"([^"]+)"|'([^']+)'|([^"')\s]+))\s*\)/g;

/**
 * Finds the files of the static folders; of two with the same path the first counts. Hidden ones
 * are left out, but for `.well-known`. In style sheets, URLs are tied to the build.
 */
export async function collectAssets(
  staticDirs: string[],
  outDir: string,
  buildId: string,
): Promise<Asset[]> {
  const assets = new Map<string, Asset>();
  for (const folder of staticDirs) {
    for (const path of await walkDir(folder)) {
      const pathname = "/" + toPosix(relative(folder, path));
      const isHidden = /\/\.(?!well-known\/)/.test(pathname);
      const isOutput = !relative(outDir, path).startsWith("..");
      if (isHidden || isOutput || assets.has(pathname)) continue;
      assets.set(pathname, await readAsset(pathname, path, buildId));
    }
  }
  return [...assets.values()];
}

/**
 * Reads the files of packages that scripts load by their addresses.
 *
 * @param paths a folder or a file each, by its path below the prefix
 */
export async function collectScriptAssets(
  paths: Record<string, string>,
  prefix: string,
): Promise<Asset[]> {
  const assets: Asset[] = [];
  for (const [name, path] of Object.entries(paths)) {
    const { isDirectory } = await Deno.stat(path);
    for (const file of isDirectory ? await walkDir(path) : [path]) {
      const below = isDirectory ? `/${toPosix(relative(path, file))}` : "";
      assets.push(await madeAsset(prefix + name + below, await Deno.readFile(file)));
    }
  }
  return assets;
}

/** A file that the build made. */
export async function madeAsset(
  pathname: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<Asset> {
  const hash = await sha256(content);
  const contentType = getContentType(pathname);
  return { pathname, contentType, hash, content, source: null, isUnchanged: false };
}

/** A file of a static folder as it is served: style sheets have their URLs tied to the build. */
async function readAsset(pathname: string, source: string, buildId: string): Promise<Asset> {
  const bytes = await Deno.readFile(source);
  const content = pathname.endsWith(".css") ? lockUrls(bytes, buildId) : bytes;
  const asset = await madeAsset(pathname, content);
  return { ...asset, source, isUnchanged: content === bytes };
}

/** Absolute URLs of a style sheet only: relative ones need no base path. */
function lockUrls(bytes: Uint8Array<ArrayBuffer>, buildId: string): Uint8Array<ArrayBuffer> {
  const css = new TextDecoder().decode(bytes);
  const locked = css.replace(CSS_URL, (whole, double?: string, single?: string, bare?: string) => {
    const url = double ?? single ?? bare ?? "";
    const locked = assetInternal(url, buildId);
    return locked === url ? whole : `url(${JSON.stringify(locked)})`;
  });
  return locked === css ? bytes : new TextEncoder().encode(locked);
}

async function sha256(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", content)).toHex();
}

const TYPES: Record<string, string> = {
  avif: "image/avif",
  bmp: "image/bmp",
  css: "text/css; charset=UTF-8",
  csv: "text/csv; charset=UTF-8",
  gif: "image/gif",
  gz: "application/gzip",
  htm: "text/html; charset=UTF-8",
  html: "text/html; charset=UTF-8",
  ico: "image/vnd.microsoft.icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=UTF-8",
  json: "application/json; charset=UTF-8",
  map: "application/json; charset=UTF-8",
  md: "text/markdown; charset=UTF-8",
  mjs: "text/javascript; charset=UTF-8",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg",
  otf: "font/otf",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  ttf: "font/ttf",
  txt: "text/plain; charset=UTF-8",
  wasm: "application/wasm",
  wav: "audio/x-wav",
  webm: "video/webm",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
  xml: "text/xml; charset=UTF-8",
  zip: "application/zip",
};

/** The media type of a static file, by its extension; plain text for an unknown one. */
function getContentType(pathname: string): string {
  const extension = /\.([^./]+)$/.exec(pathname)?.[1] ?? "";
  return TYPES[extension.toLowerCase()] ?? "text/plain";
}
