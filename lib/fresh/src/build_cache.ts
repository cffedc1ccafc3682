import type { Island, ServerIslandRegistry } from "./context.ts";
import type { FsRouteFile } from "./fs_routes.ts";
import { registerIsland } from "./runtime/server/preact_hooks.ts";
import { UniqueNamer } from "./utils.ts";

/** A static file, opened for one answer. */
export interface OpenFile {
  /** Bytes that will be sent. */
  size: number;
  /** The content. */
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** A static file that can be served. */
export interface StaticFile {
  /** SHA-256 of the content in hex. */
  hash: string;
  /** The Content-Type to send. */
  contentType: string;
  /** Opens the file; the caller consumes or cancels the body. */
  open(): Promise<OpenFile>;
}

/** The output of a build, as the running application uses it. */
export interface BuildCache {
  /** The folder of the application. */
  root: string;
  /** The id that asset URLs carry. */
  buildId: string;
  /** The path of the script that starts islands, without the base path. */
  clientEntry: string;
  /** Whether each page loads the script, for live reload. */
  liveReload: boolean;
  /** The components that are sent to the browser. */
  islands: ServerIslandRegistry;
  /** The route files, in the order in which they apply. */
  fsRoutes: FsRouteFile[];
  /** Looks a static file up by its decoded path. */
  staticFile(pathname: string): Promise<StaticFile | null>;
}

/** The builder's record of one static file. */
export interface StaticEntry {
  /** Its path on disk, relative to the folder of the application. */
  filePath: string;
  /** SHA-256 of its content in hex. */
  hash: string;
  /** The Content-Type to send. */
  contentType: string;
}

/** The exports of `_fresh/snapshot.js`. */
export interface Snapshot {
  version: string;
  clientEntry: string;
  islands: ServerIslandRegistry;
  staticFiles: Map<string, StaticEntry>;
  fsRoutes: FsRouteFile[];
}

/** Files up to this size are cached in memory, in bytes. */
const KEPT_FILE = 1024 * 1024;

/** The size of that cache, in bytes. */
const KEPT_TOTAL = 64 * 1024 * 1024;

/** A build on disk, for the production server. It only needs to read the application. */
export class ProdBuildCache<State> implements BuildCache {
  readonly buildId: string;
  readonly clientEntry: string;
  readonly islands: ServerIslandRegistry;
  readonly fsRoutes: FsRouteFile[];
  readonly liveReload = false;
  #files = new Map<string, StaticFile>();
  #kept = 0;

  /**
   * @param root The folder of the application, absolute.
   * @param snapshot What the builder wrote.
   */
  constructor(readonly root: string, snapshot: Snapshot) {
    this.buildId = snapshot.version;
    this.clientEntry = snapshot.clientEntry;
    this.islands = snapshot.islands;
    this.fsRoutes = snapshot.fsRoutes;
    for (const [pathname, entry] of snapshot.staticFiles) {
      this.#files.set(pathname, this.#fileOf(entry));
    }
  }

  staticFile(pathname: string): Promise<StaticFile | null> {
    return Promise.resolve(this.#files.get(pathname) ?? null);
  }

  #fileOf({ filePath, hash, contentType }: StaticEntry): StaticFile {
    const path = `${this.root}/${filePath}`;
    let kept: OpenFile | undefined;
    return {
      hash,
      contentType,
      open: async () => {
        if (kept !== undefined) return kept;
        const { size } = await Deno.stat(path);
        if (size > KEPT_FILE || this.#kept + size > KEPT_TOTAL) {
          return { size, body: (await Deno.open(path)).readable };
        }
        const body = await Deno.readFile(path);
        if (kept === undefined) this.#kept += body.length;
        kept = { size: body.length, body };
        return kept;
      },
    };
  }
}

/** Fills the registry of islands from the modules that define them. */
export class IslandPreparer {
  #names = new UniqueNamer();

  /**
   * Makes every function that a module exports an island.
   *
   * @param islands The registry to fill.
   * @param mod The module.
   * @param file The path of its script, without the base path.
   * @param modName The name of its default export.
   * @param css The style sheets it needs.
   */
  prepare(
    islands: ServerIslandRegistry,
    mod: Record<string, unknown>,
    file: string,
    modName: string,
    css: string[] = [],
  ): void {
    for (const [exportName, value] of Object.entries(mod)) {
      if (typeof value !== "function") continue;
      const fn = value as Island["fn"];
      const name = this.#names.take(exportName === "default" ? modName : exportName);
      registerIsland(fn);
      islands.set(fn, { file, name, exportName, fn, css });
    }
  }
}
