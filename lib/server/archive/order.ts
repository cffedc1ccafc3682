import type { EntryPath } from "../../shared/path.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";
import type { Format } from "./format.ts";

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
