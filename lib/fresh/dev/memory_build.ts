import type { BuildCache, StaticFile } from "../build_cache.ts";
import type { FsRouteFile } from "../routing/fs_routes.ts";
import type { IslandRegistry } from "../island.ts";
import { IslandPreparer } from "../island_names.ts";
import { toFileUrl } from "./paths.ts";
import type { BuildResult } from "./snapshot.ts";
import { type Asset, readAsset } from "./static_assets.ts";

/** A build that is kept in memory: for tests, and for the development server. */
export async function memoryBuild(
  result: BuildResult,
  root: string,
  liveReload: boolean,
): Promise<BuildCache> {
  const islands: IslandRegistry = new Map();
  const preparer = new IslandPreparer();
  for (const { name, path, file } of result.islands) {
    preparer.prepare(islands, await import(toFileUrl(path)), file, name);
  }

  const fsRoutes: FsRouteFile[] = [];
  for (const { id, kind, pattern, routePattern, path, lazy } of result.routes) {
    const url = toFileUrl(path);
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
