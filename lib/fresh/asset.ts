import { type Deployment, deployment } from "./deployment.ts";

/** The query parameter that ties a URL to one build. */
export const ASSET_KEY = "__frsh_c";

/**
 * The URL of a static file, tied to the running build: browsers may keep the answer for a year.
 * Only paths that start with one "/" are changed; the base path is put before them unless they
 * have it already.
 */
export function asset(path: string): string {
  return lockPath(path, deployment);
}

/** Applies {@linkcode asset} to each URL of a `srcset` attribute; an unusual one is left alone. */
export function assetSrcSet(srcset: string): string {
  if (srcset.includes("(")) return srcset;
  const candidates = srcset.split(",");
  if (candidates.some((candidate) => candidate.trim() === "")) return srcset;
  return candidates.map((candidate) => candidate.replace(/\S+/, asset)).join(",");
}

/** Ties a path to a build; what is not a path of this site is given back as it is. */
export function lockPath(path: string, { buildId, basePath }: Deployment): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const url = URL.parse(path, "http://localhost");
  if (url === null || url.searchParams.has(ASSET_KEY)) return path;

  url.searchParams.set(ASSET_KEY, buildId);
  const hasBase = url.pathname === basePath || url.pathname.startsWith(basePath + "/");
  return (hasBase ? "" : basePath) + url.pathname + url.search + url.hash;
}
