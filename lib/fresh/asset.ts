import { deployment } from "./deployment.ts";

/** The query parameter that ties a URL to one build. */
export const ASSET_KEY = "__frsh_c";

/**
 * The URL of a static file, tied to the running build: browsers may keep the answer for a year.
 * Only paths that start with one "/" are changed; the base path is put before them unless they
 * have it already.
 */
export function asset(path: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const url = URL.parse(path, "http://localhost");
  if (url === null || url.searchParams.has(ASSET_KEY)) return path;
  url.searchParams.set(ASSET_KEY, deployment.buildId);
  return withBasePath(url.pathname) + url.search + url.hash;
}

/** Applies {@linkcode asset} to each URL of a `srcset` attribute; an unusual one is left alone. */
export function assetSrcSet(srcset: string): string {
  if (srcset.includes("(")) return srcset;
  const candidates = srcset.split(",");
  if (candidates.some((candidate) => candidate.trim() === "")) return srcset;
  return candidates
    .map((candidate) => candidate.replace(/\S+/, asset))
    .join(",");
}

function withBasePath(path: string): string {
  const { basePath } = deployment;
  return path === basePath || path.startsWith(basePath + "/") ? path : basePath + path;
}
