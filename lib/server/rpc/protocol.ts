import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";
import type { ErrorCode } from "../../shared/errors.ts";
import type { ListOptions } from "../files/listing/listing.ts";
import type { SearchOptions } from "../search/query.ts";

/** For whom a call is made, through which gate, on what. */
export interface CallTarget {
  spec: GateSpec;
  viewer: Viewer;
  path: EntryPath;
}

/** What a viewer wants done at a path, as a Worker can be told of it. */
export function targetOf({ spec, viewer }: Access, path: EntryPath): CallTarget {
  return { spec, viewer, path };
}

/** What the walker's Worker can be asked to do. */
export type Task =
  | { kind: "list"; target: CallTarget; options: ListOptions }
  | { kind: "remove"; target: CallTarget }
  | { kind: "search"; target: CallTarget; options: SearchOptions };

/** A message to a Worker: a task, or a word about one that is under way. */
export type Call<Given = Task> =
  | { id: number; task: Given }
  /** `more`: one more part of the answer is wanted. */
  | { id: number; task: "cancel" | "more" };

/** A message from a Worker. */
export type Answer =
  /** The work is done; what there is to tell comes in pages, one after the other. */
  | { id: number; pages: Uint8Array<ArrayBuffer>[] }
  /** An answer in parts begins: what could be refused was not. Tells what is known by then. */
  | { id: number; opened: unknown }
  | { id: number; part: Uint8Array<ArrayBuffer> }
  | { id: number; refusal: { code: ErrorCode; message: string } }
  | { id: number; failure: string };
