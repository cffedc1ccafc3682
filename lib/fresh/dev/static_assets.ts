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
  /** Its content, as it is served. */
  content: Uint8Array<ArrayBuffer>;
  /** The file it comes from; null when the build made it. */
  source: string | null;
  /** Whether the content is that of the file, byte for byte. */
  isUnchanged: boolean;
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
      const isHidden = /\/\.(?!well-known\/)/.test(pathname);
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
  const contentType = contentTypeOf(pathname);
  return { pathname, contentType, hash, content, source: null, isUnchanged: false };
}

/** A file of a static folder as it is served: style sheets have their URLs tied to the build. */
export async function readAsset(pathname: string, source: string, buildId: string): Promise<Asset> {
  const bytes = await Deno.readFile(source);
  const content = pathname.endsWith(".css") ? lockUrls(bytes, buildId) : bytes;
  const asset = await madeAsset(pathname, content);
  return { ...asset, source, isUnchanged: content === bytes };
}

/** Absolute URLs of a style sheet only: relative ones need no base path. */
function lockUrls(bytes: Uint8Array<ArrayBuffer>, buildId: string): Uint8Array<ArrayBuffer> {
  const css = new TextDecoder().decode(bytes);
  const locked = css.replace(CSS_URL, (whole, double?: string, single?: string, bare?: string) => {
    const url = double ?? single ?? bare ?? "";
    const locked = lockPath(url, buildId);
    return locked === url ? whole : `url(${JSON.stringify(locked)})`;
  });
  return locked === css ? bytes : new TextEncoder().encode(locked);
}

async function sha256(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", content)).toHex();
}
