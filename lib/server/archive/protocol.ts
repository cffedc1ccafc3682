import type { EntryPath } from "../../shared/path.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";
import type { ErrorCode } from "../../shared/errors.ts";
import type { Format } from "./format.ts";
import type { Part } from "./zip/planned_zip.ts";

/** An archive that somebody wants. Plain data, so that a Worker can be told of it. */
export interface ArchiveOrder {
  spec: GateSpec;
  viewer: Viewer;
  folder: EntryPath;
  /** What is wanted of the folder; null for all of it. */
  chosen: EntryPath[] | null;
  format: Pick<Format, "container" | "codec">;
  /** Deflates what can be made smaller, in a zip; other containers do not look at it. */
  deflate: boolean;
  /** How long the look at a stored zip's entries may take, in milliseconds. */
  patienceMs: number;
}

/** What is known of an archive before its first byte: of a stored zip that was planned. */
export interface ArchiveFacts {
  /** Bytes. */
  size: number;
  /** A strong validator, with its quotes. */
  etag: string;
  /** How many entries it has. */
  entries: number;
}

/** A message to the Worker. Every download has a number of its own. */
export type Call =
  | { id: number; open: ArchiveOrder }
  | { id: number; write: Part | null }
  | { id: number; credits: number }
  | { id: number; cancel: true };

/** A message from the Worker. */
export type Answer =
  | { id: number; opened: ArchiveFacts | null }
  | { id: number; bytes: Uint8Array<ArrayBuffer> }
  | { id: number; done: true }
  | { id: number; refusal: { code: ErrorCode; message: string } }
  | { id: number; failure: string };
