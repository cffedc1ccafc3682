import { type EntryPath, parsePath, segmentsOf } from "../../../shared/path.ts";

declare const realPath: unique symbol;

/**
 * An absolute path on the disk in which no component is a link. Made by the access room alone;
 * never sent to a client and never logged.
 */
export type RealPath = string & { readonly [realPath]: true };

/** Brands a path as real: the configuration's served folder, and paths that this room resolved. */
export function asRealPath(path: string): RealPath {
  return (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path) as RealPath;
}

/** The path of an entry of a folder. */
export function realChild(folder: RealPath, name: string): RealPath {
  return (folder === "/" ? `/${name}` : `${folder}/${name}`) as RealPath;
}

/** The inverse of {@linkcode pathBelow}. Links on the way are not followed. */
export function realPathBelow(path: EntryPath, root: string): RealPath {
  return segmentsOf(path).reduce(realChild, asRealPath(root));
}

/** The folder that holds an entry; "/" is its own parent. */
export function realParent(path: RealPath): RealPath {
  const slash = path.lastIndexOf("/");
  return (slash <= 0 ? "/" : path.slice(0, slash)) as RealPath;
}

/** The last component; "" for "/". */
export function realName(path: RealPath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a real path is the folder itself or lies below it, by whole components. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || folder === "/" || path.startsWith(`${folder}/`);
}

/**
 * An entry of the served folder as a path below it, independent of any scope.
 *
 * @param root the served folder, which holds the entry
 */
export function pathBelow(real: RealPath, root: string): EntryPath {
  return parsePath(root === "/" ? real : real.slice(root.length)).path;
}
