import type { EntryPath } from "../access/path.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";
import type { ErrorCode } from "../errors.ts";
import type { ListOptions } from "../files/listing.ts";

/** For whom a call is made, through which gate, on what. */
export interface CallTarget {
  spec: GateSpec;
  viewer: Viewer;
  path: EntryPath;
}

/** What the Worker can be asked to do. */
export type Task =
  | { kind: "list"; target: CallTarget; options: ListOptions }
  | { kind: "remove"; target: CallTarget };

/** A message to the Worker. */
export type Call = { id: number; task: Task } | { id: number; task: "cancel" };

/** A message from the Worker; listings come as the bytes of their JSON. */
export type Answer =
  | { id: number; bytes: Uint8Array<ArrayBuffer> | null }
  | { id: number; refusal: { code: ErrorCode; message: string } }
  | { id: number; failure: string };
