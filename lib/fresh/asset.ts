import { deployment } from "./deployment.ts";

/** The query parameter that ties a URL to one build. */
export const ASSET_KEY = "__frsh_c";

/**
 * The URL of a static file, tied to the running build: browsers may keep the answer for a year.
 * Only paths that start with one "/" are changed. The base path is the caller's to put before them:
 * `asset(config.basePath + "/a.css")`.
 */
export function asset(path: string): string {
  return lockPath(path, deployment.buildId);
}

/** Applies {@linkcode asset} to each URL of a `srcset` attribute; an unusual one is left alone. */
export function assetSrcSet(srcset: string): string {
  if (srcset.includes("(")) return srcset;
  const candidates = srcset.split(",");
  if (candidates.some((candidate) => candidate.trim() === "")) return srcset;
  return candidates.map((candidate) => candidate.replace(/\S+/, asset)).join(",");
}

/** Applies {@linkcode asset} to the `src` and `srcset` of a picture, unless it opts out. */
export function lockSources(props: Record<string, unknown>): Record<string, unknown> {
  if (props["data-fresh-disable-lock"]) return props;
  const locked = { ...props };
  if (typeof props.src === "string") locked.src = asset(props.src);
  for (const name of ["srcset", "srcSet"]) {
    const value = props[name];
    if (typeof value === "string") locked[name] = assetSrcSet(value);
  }
  return locked;
}

/** Ties a path to a build; other URLs are returned unchanged. */
export function lockPath(path: string, buildId: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const url = URL.parse(path, "http://localhost");
  if (url === null || url.searchParams.has(ASSET_KEY)) return path;

  url.searchParams.set(ASSET_KEY, buildId);
  return url.pathname + url.search + url.hash;
}
