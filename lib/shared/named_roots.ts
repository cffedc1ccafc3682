import {
  childOf,
  type EntryPath,
  isInside,
  joinPaths,
  parsePath,
  relativePath,
  ROOT,
  segmentsOf,
} from "./path.ts";
import type { NamedRoot } from "./schemas/named_root.ts";

/**
 * The place of the virtual top in records that are kept by place. No entry has it: a name cannot
 * hold this character.
 */
export const topPlace = "/\0" as EntryPath;

/** The part of a viewer, or of a user, that tells which places its paths mean. */
export interface Placed {
  scope: string;
  roots?: NamedRoot[];
}

/** The roots of a user or a viewer, if there are any. */
export function rootsOf({ roots }: Pick<Placed, "roots">): NamedRoot[] | undefined {
  return roots && roots.length > 0 ? roots : undefined;
}

/** The root that a path names first, exactly as it is spelled. */
export function rootNamed(roots: readonly NamedRoot[], path: EntryPath): NamedRoot | undefined {
  const [first] = segmentsOf(path);
  return roots.find(({ name }) => name === first);
}

/** Whether a path is the virtual top or one of the roots in it, and no entry in a root. */
export function isRootItself({ roots }: Pick<Placed, "roots">, path: EntryPath): boolean {
  return !!roots?.length && segmentsOf(path).length <= 1;
}

/**
 * The place that a path means, below the server root; links are not followed. The virtual top and
 * names of no root have none: null.
 */
export function placeIn(placed: Placed, path: EntryPath): EntryPath | null {
  const roots = rootsOf(placed);
  if (!roots) return joinPaths(topOfScope(placed), path);
  const root = rootNamed(roots, path);
  return root ? joinPaths(placeOfRoot(root), belowRootName(path, root)) : null;
}

/**
 * The path by which a user finds a place; null for one out of reach. Of roots in one another the
 * innermost counts.
 */
export function pathIn(placed: Placed, place: EntryPath): EntryPath | null {
  const roots = rootsOf(placed);
  if (!roots) {
    const top = topOfScope(placed);
    return isInside(place, top) ? relativePath(place, top) : null;
  }
  if (place === topPlace) return ROOT;
  const root = roots.filter((each) => isInside(place, placeOfRoot(each)))
    .reduce<NamedRoot | null>(
      (a, b) => a && placeOfRoot(a).length >= placeOfRoot(b).length ? a : b,
      null,
    );
  return root && joinPaths(childOf(ROOT, root.name), relativePath(place, placeOfRoot(root)));
}

/** As {@link placeIn}, for records that also concern the virtual top. */
export function keptPlaceIn(placed: Placed, path: EntryPath): EntryPath {
  return placeIn(placed, path) ?? (path === ROOT ? topPlace : joinPaths(topPlace, path));
}

/** The folders below the server root that a user reaches: the scope, or the roots. */
export function topsOf(placed: Placed): EntryPath[] {
  return rootsOf(placed)?.map(placeOfRoot) ?? [topOfScope(placed)];
}

/**
 * The paths by which a user with named roots finds what is read-only: the roots that are, and those
 * that are below a writable one, by that one as well. Undefined for a user with a scope.
 */
export function readOnlyPathsOf(placed: Placed): EntryPath[] | undefined {
  const roots = rootsOf(placed);
  if (!roots) return undefined;
  const pathOf = (root: NamedRoot) => childOf(ROOT, root.name);
  return roots.filter(({ readOnly }) => readOnly).flatMap((root) => {
    const place = placeOfRoot(root);
    const outer = roots.filter((each) => !each.readOnly && isInside(place, placeOfRoot(each)));
    const below = outer.map((each) =>
      joinPaths(pathOf(each), relativePath(place, placeOfRoot(each)))
    );
    return [pathOf(root), ...below];
  });
}

/** The roots of a user as a page follows them, with what {@linkcode readOnlyPathsOf} tells. */
export interface RootsInfo {
  names: string[];
  readOnlyPaths: EntryPath[];
}

/** The roots of a user for a page; null for one with a scope. */
export function rootsInfoOf(placed: Placed): RootsInfo | null {
  const names = rootsOf(placed)?.map(({ name }) => name);
  return names ? { names, readOnlyPaths: readOnlyPathsOf(placed) ?? [] } : null;
}

/** A path in a root, from that root's folder. */
export function belowRootName(path: EntryPath, { name }: NamedRoot): EntryPath {
  return relativePath(path, childOf(ROOT, name));
}

/** The folder of a root, below the server root. */
export function placeOfRoot({ path }: NamedRoot): EntryPath {
  return parsePath(`/${path}`).path;
}

function topOfScope({ scope }: Pick<Placed, "scope">): EntryPath {
  return parsePath(`/${scope}`).path;
}
