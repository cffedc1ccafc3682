import { DiskError } from "../disk/disk.ts";
import type { Facts } from "../disk/facts.ts";
import { SlowDiskError } from "../disk/mounts.ts";
import { disk } from "../disk/this_disk.ts";
import { isSafeOnDisk } from "./names.ts";
import { isBelow, realChild, realName, realParent, type RealPath } from "../disk/real_path.ts";

/**
 * The target of a link: an entry inside, a missing one inside, or outside. `via` are the links on
 * the way, itself the first: each has to be one that the viewer may know of.
 */
export type LinkTarget =
  | { kind: "inside"; real: RealPath; info: Facts; via: RealPath[] }
  | { kind: "broken"; real: RealPath | null; via: RealPath[] }
  | { kind: "outside" };

/** An entry that is there. */
export interface Found {
  kind: "found";
  /** The entry itself: when it is a link, the link. */
  real: RealPath;
  info: Facts;
  /** The target of a link. */
  target: LinkTarget | null;
  /** The links that were followed on the way to it. */
  via: RealPath[];
}

/** No such entry. */
export interface Missing {
  kind: "missing";
  /** The deepest existing folder; when blocked, the entry in the way. */
  folder: RealPath;
  /** The names that are missing below it, from the top down; none when the bounds are gone. */
  names: string[];
  /** A file or broken link has the name of a folder: nothing can be made there. */
  isBlocked: boolean;
  /** The links that were followed on the way. */
  via: RealPath[];
}

/** The path leads through a link that leaves the bounds. Nothing outside was looked at. */
export interface Outside {
  kind: "outside";
}

/** Most links in one path: Linux's limit, beyond which it fails with ELOOP. */
const maxLinks = 40;

/**
 * Resolves a path from a real folder and never leaves it. Most paths have no link: the system looks
 * those up in one call that refuses links. Others are resolved from link to link: links are read
 * here, not by the kernel, and the first component of a link that lies outside ends the walk before
 * anything outside is looked at. So the answer does not reveal what exists there.
 *
 * @param bounds the real folder (or the one real file) that nothing may leave
 * @param names the components; none for the bounds themselves
 */
export function resolve(bounds: RealPath, names: string[]): Found | Missing | Outside {
  return resolveDirectly(bounds, names) ?? resolveByLinks(bounds, names);
}

/** Null where a link is on the way, or more than the last name is missing. */
function resolveDirectly(bounds: RealPath, names: string[]): Found | Missing | null {
  if (!names.every((name) => isSafeOnDisk(name))) return null;
  try {
    const found = lookAt(names.reduce(realChild, bounds), bounds);
    if (found || names.length === 0) return found;
    const folder = names.slice(0, -1).reduce(realChild, bounds);
    if (!disk.look(folder)?.isDirectory) return null;
    return { kind: "missing", folder, names: names.slice(-1), isBlocked: false, via: [] };
  } catch (error) {
    if (isNotDirect(error)) return null;
    throw error;
  }
}

function resolveByLinks(bounds: RealPath, names: string[]): Found | Missing | Outside {
  let found: Found | null = lookAt(bounds, bounds);
  if (!found) return { kind: "missing", folder: bounds, names: [], isBlocked: true, via: [] };
  const via: RealPath[] = [];
  let pending = names;
  while (pending.length > 0) {
    const entered = enter(found);
    if (entered === null) return { kind: "outside" };
    via.push(...entered.via);
    if (!entered.isFolder || via.length > maxLinks) {
      return { kind: "missing", folder: entered.real, names: pending, isBlocked: true, via };
    }
    const parents = pending.slice(0, -1);
    const depth = depthWithoutLinks(entered.real, parents);
    const folder = parents.slice(0, depth).reduce(realChild, entered.real);
    pending = pending.slice(depth);
    const [name = ""] = pending;
    found = isSafeOnDisk(name) ? lookAt(realChild(folder, name), bounds) : null;
    if (!found) return { kind: "missing", folder, names: pending, isBlocked: false, via };
    pending = pending.slice(1);
  }
  return { ...found, via };
}

/**
 * The number of names, from the first on, that lead from a real folder to another by no link. It is
 * found by halving: a look at each folder of a deep path would take a time that grows with the
 * square of the depth, and hold its thread for seconds.
 */
function depthWithoutLinks(folder: RealPath, names: string[]): number {
  const unsafe = names.findIndex((name) => !isSafeOnDisk(name));
  let [low, high] = [0, unsafe === -1 ? names.length : unsafe];
  for (let depth = high; low < high; depth = Math.ceil((low + high) / 2)) {
    if (isFolder(names.slice(0, depth).reduce(realChild, folder))) low = depth;
    else high = depth - 1;
  }
  return low;
}

/** Whether a folder is at a path, by no link. */
function isFolder(real: RealPath): boolean {
  try {
    return disk.look(real)?.isDirectory ?? false;
  } catch (error) {
    if (isNotDirect(error)) return false;
    throw error;
  }
}

/**
 * The target of a link that lies inside the bounds. An unreadable target counts as outside, so that
 * one unreadable folder does not fail the listing of another.
 */
export function followLink(link: RealPath, bounds: RealPath): LinkTarget {
  try {
    return walk(realParent(link), [realName(link)], bounds);
  } catch {
    return { kind: "outside" };
  }
}

/** The same for the requested link: a slow disk is left to another thread. */
function followOne(link: RealPath, bounds: RealPath): LinkTarget {
  try {
    return walk(realParent(link), [realName(link)], bounds);
  } catch (error) {
    if (error instanceof SlowDiskError) throw error;
    return { kind: "outside" };
  }
}

/** The text of a link. */
export function readLink(link: RealPath): string {
  using folder = disk.folder(realParent(link));
  return folder.readLink(realName(link));
}

function walk(start: RealPath, names: string[], bounds: RealPath): LinkTarget {
  let current = start;
  const pending = names.toReversed();
  const via: RealPath[] = [];
  let info: Facts | null = null;
  for (let links = 0; pending.length > 0;) {
    const name = pending.pop();
    if (name === undefined) continue;
    // As in the kernel: a path cannot continue from a file, not even by "", "." or "..".
    if (info && !info.isDirectory) return { kind: "broken", real: null, via };
    if (name === "" || name === ".") continue;
    if (name === "..") {
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
    if (!isSafeOnDisk(name)) return { kind: "broken", real: null, via };
    info = disk.look(next);
    if (!info) return endOfBroken(next, pending, bounds, via);
    if (!info.isSymlink) {
      current = next;
      continue;
    }
    via.push(next);
    if (++links > maxLinks) return { kind: "broken", real: null, via };
    const text = readLink(next);
    if (text.startsWith("/")) current = "/" as RealPath;
    info = null;
    pending.push(...text.split("/").reverse());
  }
  if (!isBelow(current, bounds)) return { kind: "outside" };
  info ??= disk.look(current);
  if (!info) return { kind: "broken", real: current, via };
  return { kind: "inside", real: current, info, via };
}

/** A link that dangles inside is broken; one whose missing path would climb out leads outside. */
function endOfBroken(
  missing: RealPath,
  pending: string[],
  bounds: RealPath,
  via: RealPath[],
): LinkTarget {
  let current = missing;
  for (const name of pending.toReversed()) {
    if (name === "" || name === ".") continue;
    current = name === ".." ? realParent(current) : realChild(current, name);
    if (!isBelow(current, bounds)) return { kind: "outside" };
  }
  return { kind: "broken", real: current, via };
}

/** The folder at which the walk continues, and whether it can; null when it would leave. */
function enter({ real, info, target }: Found): Entered | null {
  if (!target) return { real, isFolder: info.isDirectory, via: [] };
  if (target.kind === "outside") return null;
  const { via } = target;
  if (target.kind === "broken") return { real: target.real ?? real, isFolder: false, via };
  return { real: target.real, isFolder: target.info.isDirectory, via };
}

interface Entered {
  real: RealPath;
  isFolder: boolean;
  via: RealPath[];
}

function lookAt(real: RealPath, bounds: RealPath): Found | null {
  const info = disk.look(real);
  if (!info) return null;
  const target = info.isSymlink ? followOne(real, bounds) : null;
  return { kind: "found", real, info, target, via: [] };
}

/** Whether a link was on the way, or a name that is too long for the disk. */
function isNotDirect(error: unknown): boolean {
  return error instanceof DiskError && (error.code === "ELOOP" || error.code === "ENAMETOOLONG");
}
