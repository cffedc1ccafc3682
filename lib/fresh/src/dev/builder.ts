import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { App, listen, type ListenOptions, setBuildCache } from "../app.ts";
import type { BuildCache } from "../build_cache.ts";
import { resolvePath, UniqueNamer } from "../utils.ts";
import { ALIVE_URL, TEST_FILE_PATTERN } from "../constants.ts";
import { checkDenoCompilerOptions } from "./check.ts";
import {
  type BuildResult,
  collectAssets,
  collectScriptAssets,
  type IslandModule,
  madeAsset,
  memoryBuild,
  writeBuild,
} from "./dev_build_cache.ts";
import { bundleJs } from "./esbuild.ts";
import { crawlCode, crawlRouteDir } from "./fs_crawl.ts";

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
  /**
   * Files of packages that scripts load by their addresses, such as Workers: folders or files, by
   * their paths beside the scripts of the islands.
   */
  scriptAssets?: Record<string, string>;
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

/** Fills in the defaults. */
function resolveOptions(options: BuildOptions): ResolvedBuildConfig {
  const root = resolvePath(options.root ?? ".", Deno.cwd());
  const at = (path: string) => resolvePath(path, root);
  return {
    target: options.target ?? ["chrome99", "firefox99", "safari15"],
    root,
    outDir: at(options.outDir ?? "_fresh"),
    staticDir: [options.staticDir ?? "static"].flat().map(at),
    scriptAssets: Object.fromEntries(
      Object.entries(options.scriptAssets ?? {}).map(([name, path]) => [name, at(path)]),
    ),
    islandDir: at(options.islandDir ?? "islands"),
    routeDir: at(options.routeDir ?? "routes"),
    serverEntry: at(options.serverEntry ?? "main.ts"),
    ignore: options.ignore ?? [TEST_FILE_PATTERN],
    sourceMap: options.sourceMap,
    mode: "production",
    buildId: "",
  };
}

const CLIENT = "fresh-runtime";

/** Builds an application for production, or serves it during development. */
export class Builder<State = unknown> {
  /** The settings in force. */
  config: ResolvedBuildConfig;
  #islands = new Set<string>();

  constructor(options: BuildOptions = {}) {
    this.config = resolveOptions(options);
  }

  /** Makes the exports of a module islands, wherever the module lies. */
  registerIsland(specifier: string): void {
    this.#islands.add(specifier);
  }

  /**
   * Builds the application: to disk, or in memory for tests.
   *
   * @returns A function that attaches the build to an application; only for `snapshot: "memory"`.
   * @throws {Error} when deno.json does not name Preact, or the islands cannot be bundled.
   */
  async build(
    options: { mode?: "development" | "production"; snapshot?: "disk" | "memory" } = {},
  ): Promise<<AppState = State>(app: App<AppState>) => void> {
    const { mode = "production", snapshot = "disk" } = options;
    this.config.mode = mode;
    const result = await this.#gather();
    if (snapshot === "memory") {
      const cache = await memoryBuild(result, this.config.root, false);
      return (app) => setBuildCache(app, cache);
    }
    await writeBuild(result, this.config);
    const { length } = result.assets;
    console.log(
      `Built ${result.routes.length} routes, ${result.islands.length} islands and ` +
        `${length} static files into ${this.config.outDir}`,
    );
    return () => {
      throw new Error('Cannot attach a build on disk: build with { snapshot: "memory" }');
    };
  }

  /** Serves the application for development: open pages reload when the process restarts. */
  async listen<AppState = State>(
    importApp: () => Promise<{ app: App<AppState> } | App<AppState>>,
    options: ListenOptions = {},
  ): Promise<void> {
    this.config.mode = "development";
    const result = this.#gather();
    const cache = result.then((built) => memoryBuild(built, this.config.root, true));
    await serveDevelopment(importApp, cache, options);
  }

  async #gather(): Promise<BuildResult> {
    const { config } = this;
    await checkDenoCompilerOptions(config.root);
    config.buildId ||= await newBuildId();
    const found = await crawlRouteDir(config.routeDir, config.ignore);
    const paths = [
      ...await crawlCode(config.islandDir, config.ignore),
      ...found.islands,
      ...this.#islands,
    ];
    const prefix = `/_fresh/js/${config.buildId}/`;
    const names = new UniqueNamer();
    const islands = paths.map((path): IslandModule => {
      const name = names.take(basename(path, extname(path)));
      return { name, path, file: `${prefix}${name}.js` };
    });

    const client = config.mode === "development" ? "dev.ts" : "mod.ts";
    const scripts = await bundleJs(
      new Map([
        [CLIENT, fileURLToPath(new URL(`../runtime/client/${client}`, import.meta.url))],
        ...islands.map(({ name, path }): [string, string] => [name, path]),
      ]),
      { minify: config.mode === "production", sourceMap: config.sourceMap },
    );
    const assets = [
      ...await collectAssets(config.staticDir, config.outDir, config.buildId),
      ...await Promise.all(scripts.map(({ name, content }) => madeAsset(prefix + name, content))),
      ...await collectScriptAssets(config.scriptAssets, prefix),
    ];
    return {
      buildId: config.buildId,
      clientEntry: `${prefix}${CLIENT}.js`,
      islands,
      routes: found.routes,
      assets,
    };
  }
}

/**
 * The id of a build: the same for the same deployment, commit or, failing both, for this process
 * alone.
 */
async function newBuildId(): Promise<string> {
  const known = ["DENO_DEPLOYMENT_ID", "GITHUB_SHA", "CI_COMMIT_SHA"]
    .map((name) => Deno.env.get(name))
    .find((value) => value !== undefined);
  const bytes = new TextEncoder().encode(known ?? crypto.randomUUID());
  return new Uint8Array(await crypto.subtle.digest("SHA-1", bytes)).toHex();
}

/** Serves an application; requests wait until its build is there. */
async function serveDevelopment<State>(
  importApp: () => Promise<{ app: App<State> } | App<State>>,
  build: Promise<BuildCache>,
  options: ListenOptions,
): Promise<void> {
  const imported = await importApp();
  const app = imported instanceof App ? imported : imported.app;
  app.config.mode = "development";
  const handler = build.then((cache) => {
    setBuildCache(app, cache);
    return app.handler();
  });
  handler.catch(() => {});

  const { basePath } = app.config;
  const alive = liveReload();
  await listen(
    async (req, info) => {
      const { pathname } = new URL(req.url);
      if (pathname === basePath + ALIVE_URL) return alive(req);
      return (await handler)(req, info as Deno.ServeHandlerInfo<Deno.NetAddr>);
    },
    basePath,
    options,
  );
  await handler;
}

/** Sends each page that connects the number of this process; on another number it reloads. */
function liveReload(): (req: Request) => Response {
  const revision = Date.now();
  return (req) => {
    if (req.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      return new Response(null, { status: 501 });
    }
    const { socket, response } = Deno.upgradeWebSocket(req);
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify({ type: "initial-state", revision }));
    });
    return response;
  };
}
