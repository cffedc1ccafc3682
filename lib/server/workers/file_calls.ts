import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";

/** For whom a call is made, through which gate, on what. */
export interface CallTarget {
  spec: GateSpec;
  viewer: Viewer;
  path: EntryPath;
}

/** What a viewer wants done at a path, in the form in which a worker can be told. */
export function targetOf({ spec, viewer }: Access, path: EntryPath): CallTarget {
  return { spec, viewer, path };
}
