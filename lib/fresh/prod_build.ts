import type { BuildCache, OpenFile, StaticFile } from "./build_cache.ts";
import type { FsRouteFile } from "./routing/fs_routes.ts";
import type { IslandRegistry } from "./island.ts";

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
  islands: IslandRegistry;
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
  readonly islands: IslandRegistry;
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
