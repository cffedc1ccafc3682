import { relative } from "node:path";
import { lockPath } from "../asset.ts";
import { contentTypeOf } from "./content_type.ts";
import { crawlFiles } from "./crawl.ts";
import { toPosix } from "./paths.ts";

/** A static file of the build: one on disk, or one that the build made. */
export interface Asset {
  /** The path it is served at, decoded and without the base path. */
  pathname: string;
  /** The Content-Type to send. */
  contentType: string;
  /** SHA-256 of the content in hex. */
  hash: string;
  /** Where it lies, when it is served as it is. */
  path: string | null;
  /** Its content, when the build made it. */
  content: Uint8Array<ArrayBuffer> | null;
}

const CSS_URL = /url\(\s*(?:"([^"]+)"|'([^']+)'|([^"')\s]+))\s*\)/g;

/**
 * Finds the files of the static folders; of two with the same path the first counts. Hidden ones
 * are left out, but for `.well-known`. In style sheets, URLs are tied to the build.
 */
export async function collectAssets(
  staticDirs: string[],
  outDir: string,
  buildId: string,
): Promise<Asset[]> {
  const assets = new Map<string, Asset>();
  for (const folder of staticDirs) {
    for (const path of await crawlFiles(folder)) {
      const pathname = "/" + toPosix(relative(folder, path));
      const isHidden = /\/\.(?!well-known)/.test(pathname);
      const isOutput = !relative(outDir, path).startsWith("..");
      if (isHidden || isOutput || assets.has(pathname)) continue;
      assets.set(pathname, await readAsset(pathname, path, buildId));
    }
  }
  return [...assets.values()];
}

/** A file that the build made. */
export async function madeAsset(
  pathname: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<Asset> {
  const hash = await sha256(content);
  return { pathname, contentType: contentTypeOf(pathname), hash, path: null, content };
}

async function readAsset(pathname: string, path: string, buildId: string): Promise<Asset> {
  const content = await Deno.readFile(path);
  if (pathname.endsWith(".css")) {
    const text = new TextDecoder().decode(content);
    const locked = lockUrls(text, buildId);
    if (locked !== text) return await madeAsset(pathname, new TextEncoder().encode(locked));
  }
  const hash = await sha256(content);
  return { pathname, contentType: contentTypeOf(pathname), hash, path, content: null };
}

/** Absolute URLs of a style sheet only: it is made before the base path is known. */
function lockUrls(css: string, buildId: string): string {
  return css.replace(CSS_URL, (whole, double?: string, single?: string, bare?: string) => {
    const url = double ?? single ?? bare ?? "";
    const locked = lockPath(url, { buildId, basePath: "" });
    return locked === url ? whole : `url(${JSON.stringify(locked)})`;
  });
}

async function sha256(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", content)).toHex();
}
