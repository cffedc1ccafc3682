import { lstatIfThere } from "./lstat.ts";
import { isBelow, realChild, realParent, type RealPath } from "./real_path.ts";
import { isSafeOnDisk } from "./names.ts";

/** Where a link leads: to an entry inside, to nothing inside, or out. */
export type LinkTarget =
  | { kind: "inside"; real: RealPath; info: Deno.FileInfo }
  | { kind: "broken"; real: RealPath | null }
  | { kind: "outside" };

/** An entry that is there. */
export interface Found {
  kind: "found";
  /** The entry itself: when it is a link, the link. */
  real: RealPath;
  info: Deno.FileInfo;
  /** Where it leads, when it is a link. */
  target: LinkTarget | null;
}

/** No such entry. */
export interface Missing {
  kind: "missing";
  /** The deepest folder that is there; when blocked, what is in the way. */
  folder: RealPath;
  /** The names that are missing below it, from the top down; none when the bounds are gone. */
  names: string[];
  /** A file, or a link that leads nowhere, bears the name of a folder: nothing can be made there. */
  isBlocked: boolean;
}

/** The path leads through a link that leaves the bounds. Nothing out there was looked at. */
export interface Outside {
  kind: "outside";
}

/** As many links as Linux follows in one path before it says that they turn in a circle. */
const mostLinks = 40;

/**
 * Follows a path component by component from a real folder and never leaves it: links are read
 * here, not by the kernel, and the first component of a link that lies outside ends the walk before
 * anything outside is looked at. So the answer tells nothing about what is there.
 *
 * @param bounds the real folder (or the one real file) that nothing may leave
 * @param names the components; none for the bounds themselves
 */
export function resolve(bounds: RealPath, names: string[]): Found | Missing | Outside {
  let found: Found | null = lookAt(bounds, bounds);
  if (!found) return { kind: "missing", folder: bounds, names: [], isBlocked: true };
  for (const [index, name] of names.entries()) {
    const missing = names.slice(index);
    const folder = enter(found);
    if (folder === null) return { kind: "outside" };
    if (!folder.isFolder) {
      return { kind: "missing", folder: folder.real, names: missing, isBlocked: true };
    }
    found = isSafeOnDisk(name) ? lookAt(realChild(folder.real, name), bounds) : null;
    if (!found) return { kind: "missing", folder: folder.real, names: missing, isBlocked: false };
  }
  return found;
}

/**
 * Where a link leads that lies inside the bounds. What may not be looked at counts as outside, so
 * that one unreadable folder does not spoil the listing of another.
 */
export function followLink(link: RealPath, bounds: RealPath): LinkTarget {
  const folder = realParent(link);
  return follow(folder, [link.slice(folder === "/" ? 1 : folder.length + 1)], bounds);
}

/**
 * Where a link would lead if it lay in a folder, which need not be there yet.
 *
 * @param text of the link
 */
export function followText(folder: RealPath, text: string, bounds: RealPath): LinkTarget {
  const start = text.startsWith("/") ? "/" as RealPath : folder;
  return follow(start, text.split("/"), bounds);
}

function follow(start: RealPath, names: string[], bounds: RealPath): LinkTarget {
  try {
    return walk(start, names, bounds);
  } catch {
    return { kind: "outside" };
  }
}

function walk(start: RealPath, names: string[], bounds: RealPath): LinkTarget {
  let current = start;
  const pending = names.toReversed();
  let info: Deno.FileInfo | null = null;
  for (let links = 0; pending.length > 0;) {
    const name = pending.pop();
    if (name === undefined || name === "" || name === ".") continue;
    if (name === "..") {
      if (info && !info.isDirectory) return { kind: "broken", real: null };
      current = realParent(current);
      info = null;
      continue;
    }
    const next = realChild(current, name);
    if (!isBelow(next, bounds)) {
      if (!isBelow(bounds, next)) return { kind: "outside" };
      current = next;
      info = null;
      continue;
    }
    if (!isSafeOnDisk(name)) return { kind: "broken", real: null };
    info = lstatIfThere(next);
    if (!info) return endOfBroken(next, pending, bounds);
    if (!info.isSymlink) {
      current = next;
      continue;
    }
    if (++links > mostLinks) return { kind: "broken", real: null };
    const text = Deno.readLinkSync(next);
    if (text.startsWith("/")) current = "/" as RealPath;
    info = null;
    pending.push(...text.split("/").reverse());
  }
  if (!isBelow(current, bounds)) return { kind: "outside" };
  info ??= lstatIfThere(current);
  return info ? { kind: "inside", real: current, info } : { kind: "broken", real: current };
}

/** A link that dangles inside is broken; one whose missing path would climb out leads outside. */
function endOfBroken(missing: RealPath, pending: string[], bounds: RealPath): LinkTarget {
  let current = missing;
  for (const name of pending.toReversed()) {
    if (name === "" || name === ".") continue;
    current = name === ".." ? realParent(current) : realChild(current, name);
    if (!isBelow(current, bounds)) return { kind: "outside" };
  }
  return { kind: "broken", real: current };
}

/** Where the walk goes on, and whether it can; null when it would leave. */
function enter({ real, info, target }: Found): { real: RealPath; isFolder: boolean } | null {
  if (!target) return { real, isFolder: info.isDirectory };
  if (target.kind === "outside") return null;
  if (target.kind === "broken") return { real: target.real ?? real, isFolder: false };
  return { real: target.real, isFolder: target.info.isDirectory };
}

function lookAt(real: RealPath, bounds: RealPath): Found | null {
  const info = lstatIfThere(real);
  if (!info) return null;
  return { kind: "found", real, info, target: info.isSymlink ? followLink(real, bounds) : null };
}
