import { DiskError } from "../disk/disk.ts";
import { type Mount, mounts, SlowDiskError } from "../disk/mounts.ts";
import type { Access } from "./access.ts";
import { scopeNames } from "./scopes.ts";
import { placeIn, topsOf } from "../../../shared/named_roots.ts";
import { type EntryPath, joinPaths, ROOT, segmentsOf } from "../../../shared/path.ts";
import { asRealPath, realChild } from "../disk/real_path.ts";
import { resolve } from "./resolve.ts";

/**
 * The mounts that may hang and that an operation on a path would have to wait for. Neither these
 * nor hidden entries are looked at, and nothing is decided: that is left to the thread which waits
 * for them.
 *
 * @param reach `below` for an operation on all that is below the path
 */
export function slowMountsOf(
  { spec, viewer }: Pick<Access, "spec" | "viewer">,
  path: EntryPath,
  reach: "entry" | "below",
): Mount[] {
  if (mounts.concerning(spec.root, "below").length === 0) return [];
  if (viewer.roots) return slowMountsInRoots({ spec, viewer }, path, reach);
  const real = realPathOf(
    spec.root,
    [viewer.scope, viewer.base ?? "/"].flatMap(scopeNames).concat(segmentsOf(path)),
  );
  return real === null ? [] : mounts.concerning(real, reach);
}

/** The same for named roots: a listing of the virtual top looks at each of them. */
function slowMountsInRoots(
  { spec, viewer }: Pick<Access, "spec" | "viewer">,
  path: EntryPath,
  reach: "entry" | "below",
): Mount[] {
  const inScope = joinPaths(viewer.base ?? ROOT, path);
  const place = placeIn(viewer, inScope);
  const places = place === null && inScope === ROOT ? topsOf(viewer) : place ? [place] : [];
  return places.flatMap((each) => {
    const real = realPathOf(spec.root, segmentsOf(each));
    return real === null ? [] : mounts.concerning(real, reach);
  });
}

/** The real path of a path, as far as it is known without waiting; null when it leads out. */
function realPathOf(root: string, names: string[]): string | null {
  const top = asRealPath(root);
  try {
    const found = resolve(top, names);
    if (found.kind === "outside") return null;
    if (found.kind === "missing") return found.names.reduce(realChild, found.folder);
    return found.target?.kind === "inside" ? found.target.real : found.real;
  } catch (error) {
    if (error instanceof SlowDiskError) return error.real;
    // The operation itself reports the error.
    if (error instanceof DiskError) return names.reduce(realChild, top);
    throw error;
  }
}
