import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The absolute path of a folder or file given as a path or a file URL; a relative one starts at `base`. */
export function resolvePath(pathOrUrl: string, base: string): string {
  if (pathOrUrl.startsWith("file://")) return fileURLToPath(pathOrUrl);
  return isAbsolute(pathOrUrl) ? pathOrUrl : join(base, pathOrUrl);
}

/** The file URL of an absolute path; a URL is returned unchanged. */
export function pathToFileUrl(path: string): string {
  return /^[a-z]+:/.test(path) && !isAbsolute(path) ? path : pathToFileURL(path).href;
}

/** The import specifier of a file, seen from a file in `folder`. */
export function pathToSpec(folder: string, path: string): string {
  if (/^[a-z]+:/.test(path) && !path.startsWith("file://") && !isAbsolute(path)) return path;
  const way = toPosix(relative(folder, resolvePath(path, folder)))
    .split("/").map(encodeURIComponent).join("/");
  return way.startsWith("../") ? way : `./${way}`;
}

/** A path with "/" between its parts, whatever the system. */
export function toPosix(path: string): string {
  return path.replaceAll(sep, "/");
}

/** Writes a file, and the folders it needs. */
export async function writeFile(path: string, content: string | Uint8Array): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  if (typeof content === "string") await Deno.writeTextFile(path, content);
  else await Deno.writeFile(path, content);
}

/** Gives names that are unique and safe in a URL, a comment and a script. */
export class UniqueNamer {
  #seen = new Map<string, number>();

  /** The name itself, or the name with a number when it was used before. */
  take(wanted: string): string {
    const name = wanted.replace(/[^A-Za-z0-9_$]+/g, "_").replace(/^(?=\d)/, "_");
    // Some file systems ignore the case of names.
    const key = name.toLowerCase();
    const count = this.#seen.get(key) ?? 0;
    this.#seen.set(key, count + 1);
    return count === 0 ? name : this.take(`${name}_${count}`);
  }
}
