import { pathIn, placeIn } from "../../../shared/named_roots.ts";
import { type EntryPath, isInside, joinPaths, relativePath, ROOT } from "../../../shared/path.ts";
import type { Viewer } from "../../core/access/viewer.ts";

/** The path by which a viewer finds a place, also one who sees a single folder; null for none. */
export function pathInView(viewer: Viewer, place: EntryPath): EntryPath | null {
  const { base = ROOT } = viewer;
  const path = pathIn(viewer, place);
  return path !== null && isInside(path, base) ? relativePath(path, base) : null;
}

/** The inverse of {@link pathInView}: links are not followed. Null at the virtual top. */
export function placeInView(viewer: Viewer, path: EntryPath): EntryPath | null {
  return placeIn(viewer, joinPaths(viewer.base ?? ROOT, path));
}
