import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { type App, attachBuild } from "../app.ts";
import { UniqueNames } from "../island_names.ts";
import type { ListenOptions } from "../listen.ts";
import { bundle } from "./bundle.ts";
import { checkCompilerOptions } from "./check.ts";
import { type BuildOptions, type ResolvedBuildConfig, resolveOptions } from "./config.ts";
import { crawlCode, crawlRoutes } from "./crawl.ts";
import { serveDevelopment } from "./dev_server.ts";
import { memoryBuild } from "./memory_build.ts";
import { type BuildResult, type IslandModule, writeBuild } from "./snapshot.ts";
import { collectAssets, madeAsset } from "./static_assets.ts";

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
      return (app) => attachBuild(app, cache);
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
    await checkCompilerOptions(config.root);
    config.buildId ||= await newBuildId();
    const found = await crawlRoutes(config.routeDir, config.ignore);
    const paths = [
      ...await crawlCode(config.islandDir, config.ignore),
      ...found.islands,
      ...this.#islands,
    ];
    const prefix = `/_fresh/js/${config.buildId}/`;
    const names = new UniqueNames();
    const islands = paths.map((path): IslandModule => {
      const name = names.take(basename(path, extname(path)));
      return { name, path, file: `${prefix}${name}.js` };
    });

    const client = config.mode === "development" ? "client_dev.ts" : "client.ts";
    const scripts = await bundle(
      new Map([
        [CLIENT, fileURLToPath(new URL(`../islands/${client}`, import.meta.url))],
        ...islands.map(({ name, path }): [string, string] => [name, path]),
      ]),
      { minify: config.mode === "production", sourceMap: config.sourceMap },
    );
    const assets = [
      ...await collectAssets(config.staticDir, config.outDir, config.buildId),
      ...await Promise.all(scripts.map(({ name, content }) => madeAsset(prefix + name, content))),
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
