import { DomainError } from "./errors.ts";

declare const entryPath: unique symbol;

/**
 * A path inside a scope: "/" or "/a/b". It starts with a slash, does not end with one, and has no
 * empty, "." or ".." segment, no NUL and no lone surrogate. Only this file makes one, so a function
 * that takes one need not check it again.
 */
export type EntryPath = string & { readonly [entryPath]: true };

/** A path as a request names it. */
export interface RequestPath {
  path: EntryPath;
  /** It ended with a slash, or is the root: the caller means a folder. */
  folder: boolean;
}

/** The maximum depth of a path, in segments. */
const maxSegments = 4_000;

/** The root of a scope. */
export const ROOT = "/" as EntryPath;

/**
 * Reads the percent-encoded path of a URL: the raw `url.pathname` after the route's prefix.
 * Every segment is decoded exactly once, after the split, so an encoded slash can't make a segment
 * and "%252e%252e" stays the harmless name "%2e%2e". Runs of "/" collapse.
 *
 * @throws {DomainError} `invalid_path`: a bad escape, bytes that are not UTF-8, a NUL, an encoded
 * slash, or a "." or ".." segment
 */
export function parseUrlPath(rawPathname: string): RequestPath {
  return fromSegments(rawPathname, (segment) => {
    const name = percentDecoded(segment);
    if (name !== null) return name;
    throw new DomainError("invalid_path", `Cannot read the path: "${segment}" is a bad escape`);
  });
}

/** A percent-encoded text, decoded; null for a bad escape, and for bytes that are not UTF-8. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * Reads a path that is already decoded: a query value, or a member of a JSON body.
 *
 * @throws {DomainError} `invalid_path`: a NUL, a lone surrogate, or a "." or ".." segment
 */
export function parsePath(text: string): RequestPath {
  return fromSegments(text, (segment) => segment);
}

/**
 * Encodes a path for a URL, segment by segment; {@link parseUrlPath} gives the same path back.
 *
 * @param options.folder ends it with a slash
 */
export function encodePath(path: EntryPath, options: { folder?: boolean } = {}): string {
  const encoded = segmentsOf(path).map(encodeURIComponent).join("/");
  return encoded === "" ? "/" : `/${encoded}${options.folder ? "/" : ""}`;
}

/**
 * The path of an entry in a folder.
 *
 * @throws {DomainError} `invalid_name`: empty, ".", "..", or with a slash, a NUL or a lone surrogate
 */
export function childOf(folder: EntryPath, name: string): EntryPath {
  if (name === "" || name.includes("/") || refusal(name) !== undefined) {
    throw new DomainError("invalid_name", `Cannot use "${printable(name)}" as a name`);
  }
  return (folder === "/" ? `/${name}` : `${folder}/${name}`) as EntryPath;
}

/** The same as {@link childOf}, unchecked, for names read from the disk: for large folders. */
export function childrenOf(folder: EntryPath): (name: string) => EntryPath {
  const prefix = folder === "/" ? "/" : `${folder}/`;
  return (name) => `${prefix}${name}` as EntryPath;
}

/** The folder that holds an entry; the root is its own parent. */
export function parentOf(path: EntryPath): EntryPath {
  const slash = path.lastIndexOf("/");
  return (slash <= 0 ? "/" : path.slice(0, slash)) as EntryPath;
}

/** The last segment; "" for the root. */
export function nameOf(path: EntryPath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The segments from the top down; none for the root. */
export function segmentsOf(path: EntryPath): string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}

/** Whether a path is the ancestor itself or lies below it, by whole segments. */
export function isInside(path: EntryPath, ancestor: EntryPath): boolean {
  return ancestor === "/" || path === ancestor || path.startsWith(`${ancestor}/`);
}

/** Puts a path below a base: `joinPaths("/a", "/b/c")` is "/a/b/c". */
export function joinPaths(base: EntryPath, path: EntryPath): EntryPath {
  if (base === "/") return path;
  return path === "/" ? base : `${base}${path}` as EntryPath;
}

/**
 * The inverse of {@link joinPaths}: `relativePath("/a/b/c", "/a")` is "/b/c".
 *
 * @throws {DomainError} `invalid_path`: the path is not inside the base
 */
export function relativePath(path: EntryPath, base: EntryPath): EntryPath {
  if (!isInside(path, base)) {
    throw new DomainError("invalid_path", `Cannot take "${path}" as a path below "${base}"`);
  }
  if (base === "/") return path;
  return (path === base ? "/" : path.slice(base.length)) as EntryPath;
}

function fromSegments(text: string, decode: (segment: string) => string): RequestPath {
  const segments: string[] = [];
  for (const raw of text.split("/")) {
    if (raw === "") continue;
    const segment = decode(raw);
    const reason = segment.includes("/") ? "an encoded slash" : refusal(segment);
    if (reason !== undefined) {
      throw new DomainError("invalid_path", `Cannot read the path: it has ${reason}`);
    }
    segments.push(segment);
  }
  if (segments.length > maxSegments) {
    throw new DomainError(
      "invalid_path",
      `Cannot read the path: it is deeper than ${maxSegments} folders`,
    );
  }
  const path = `/${segments.join("/")}` as EntryPath;
  return { path, folder: path === "/" || text.endsWith("/") };
}

/** The reason why a text is no valid segment. On disk a lone surrogate would become U+FFFD. */
function refusal(segment: string): string | undefined {
  if (segment === "." || segment === "..") return `a "${segment}" segment`;
  if (segment.includes("\0")) return "a NUL character";
  if (!segment.isWellFormed()) return "a broken character";
  return undefined;
}

function printable(name: string): string {
  return name.toWellFormed().replaceAll("\0", "\\0");
}
