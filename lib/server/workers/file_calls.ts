import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";

/** Viewer, gate and path of a call. */
export interface CallTarget {
  spec: GateSpec;
  viewer: Viewer;
  path: EntryPath;
}

/** The arguments of a viewer's call on a path, in a form that can be posted to a Worker. */
export function targetOf({ spec, viewer }: Access, path: EntryPath): CallTarget {
  return { spec, viewer, path };
}
