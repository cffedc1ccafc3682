import { resolvePath } from "./paths.ts";

/** The folders and files of an application. Relative paths start at `root`. */
export interface BuildOptions {
  /** Ignored, for compatibility: the bundler has no such setting. */
  target?: string | string[];
  /** The folder of the application; the current one when left out. */
  root?: string;
  /** The output folder of the build; `_fresh` when left out. */
  outDir?: string;
  /** The folder or folders of static files; `static` when left out. */
  staticDir?: string | string[];
  /** The folder of islands; `islands` when left out. */
  islandDir?: string;
  /** The folder of routes; `routes` when left out. */
  routeDir?: string;
  /** The module that exports `app`; `main.ts` when left out. */
  serverEntry?: string;
  /** Files that are neither routes nor islands; tests when left out. */
  ignore?: RegExp[];
  /** Whether source maps of the scripts are made, and their location. */
  sourceMap?: "linked" | "inline" | "external";
}

/** The settings in force: absolute paths, every default filled in. */
export interface ResolvedBuildConfig extends Required<Omit<BuildOptions, "sourceMap">> {
  staticDir: string[];
  sourceMap?: BuildOptions["sourceMap"];
  mode: "development" | "production";
  /** Empty until the first build. */
  buildId: string;
}

const TEST_FILE = /[._]test\.(?:[tj]sx?|[mc][tj]s)$/;

/** Fills in the defaults. */
export function resolveOptions(options: BuildOptions): ResolvedBuildConfig {
  const root = resolvePath(options.root ?? ".", Deno.cwd());
  const at = (path: string) => resolvePath(path, root);
  return {
    target: options.target ?? ["chrome99", "firefox99", "safari15"],
    root,
    outDir: at(options.outDir ?? "_fresh"),
    staticDir: [options.staticDir ?? "static"].flat().map(at),
    islandDir: at(options.islandDir ?? "islands"),
    routeDir: at(options.routeDir ?? "routes"),
    serverEntry: at(options.serverEntry ?? "main.ts"),
    ignore: options.ignore ?? [TEST_FILE],
    sourceMap: options.sourceMap,
    mode: "production",
    buildId: "",
  };
}
