import { join, relative } from "node:path";
import { type FsRouteFile, type RouteFileKind, sortRoutePaths } from "../fs_routes.ts";
import { pathToPattern } from "../router.ts";
import { toPosix } from "../utils.ts";

/** A route file that was found but not loaded. */
export interface FoundRoute extends Omit<FsRouteFile, "mod"> {
  /** Its absolute path. */
  path: string;
  /** Whether it is imported on the first request instead of at the start-up. */
  lazy: boolean;
}

const CODE = /\.(?:tsx|jsx|ts|js)$/;

const SPECIAL: [suffix: string, kind: RouteFileKind][] = [
  ["/_middleware", "middleware"],
  ["/_layout", "layout"],
  ["/_app", "app"],
  ["/_404", "notFound"],
  ["/_error", "error"],
  ["/_500", "error"],
];

/** Finds the route files below a folder, in the order in which they apply, and the islands among them. */
export async function crawlRouteDir(
  routeDir: string,
  ignore: RegExp[],
): Promise<{ routes: FoundRoute[]; islands: string[] }> {
  const routes: FoundRoute[] = [];
  const islands: string[] = [];
  for (const path of await crawlCode(routeDir, ignore)) {
    const file = "/" + toPosix(relative(routeDir, path));
    const privateFolder = /\/\((_[^/]+)\)\//.exec(file);
    if (privateFolder === null) routes.push(await describe(encode(file.replace(CODE, "")), path));
    else if (privateFolder[1] === "_islands") islands.push(path);
  }
  routes.sort((a, b) => sortRoutePaths(a.id, b.id));
  return { routes, islands };
}

/** Finds the code files below a folder, sorted by path; none when the folder is missing. */
export async function crawlCode(folder: string, ignore: RegExp[]): Promise<string[]> {
  const files = await walkDir(folder);
  return files.filter((path) =>
    CODE.test(path) && !ignore.some((pattern) => pattern.test(toPosix(path)))
  );
}

/** Finds all files below a folder, sorted by path; none when the folder is missing. */
export async function walkDir(folder: string): Promise<string[]> {
  const files: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory) files.push(...await walkDir(path));
      else if (entry.isFile) files.push(path);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return files.sort();
}

/** Encodes a path as the browser does, so that it matches what requests carry. */
function encode(file: string): string {
  const url = new URL("http://localhost");
  url.pathname = file;
  return url.pathname;
}

async function describe(id: string, path: string): Promise<FoundRoute> {
  for (const [suffix, kind] of SPECIAL) {
    if (!id.endsWith(suffix)) continue;
    const pattern = kind === "app" || kind === "notFound"
      ? "*"
      : pathToPattern(id.slice(1, -suffix.length), { keepGroups: true });
    return { id, path, kind, pattern, routePattern: pattern, lazy: false };
  }

  const pattern = pathToPattern(id.slice(1), { keepGroups: true });
  const isIndex = id.endsWith("/index") && !pattern.endsWith("/");
  const code = await Deno.readTextFile(path);
  return {
    id,
    path,
    kind: "route",
    pattern: isIndex ? pattern + "/" : pattern,
    routePattern: pathToPattern(id.slice(1)),
    lazy: !code.includes("routeOverride"),
  };
}
