import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";
import type { Facts } from "../disk/facts.ts";
import { modifiedOf } from "../files/listing/entries.ts";
import { etagOf } from "../files/content/etag.ts";

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

/** The state of a file that an answer is based on. */
export interface FileState {
  etag: string;
  /** Milliseconds since the epoch. */
  modified: number;
}

/** The state in a file's facts. */
export function stateOf(info: Facts): FileState {
  return { etag: etagOf(info), modified: modifiedOf(info).getTime() };
}
