import type { EntryPath } from "../../../shared/path.ts";
import type { SentAccess } from "../../core/access/gate.ts";
import type { Deflating } from "./deflate.ts";
import type { Format } from "./format.ts";

/** A request for an archive. Plain data that can be posted to a Worker. */
export interface ArchiveOrder {
  access: SentAccess;
  folder: EntryPath;
  /** The selected paths in the folder; null for all of it. */
  chosen: EntryPath[] | null;
  format: Pick<Format, "container" | "codec">;
  /** Deflates compressible files of a zip; other containers ignore it. */
  deflate: boolean;
  /** For gzip and a deflated zip; other formats ignore it. */
  deflating: Deflating;
  /** Time limit for planning a stored zip, in milliseconds. */
  timeoutMs: number;
  /** Adds a file that names the pipes, sockets and devices that are left out, if there are any. */
  notesLeftOut: boolean;
}

/** Facts known before the first byte: of a planned, stored zip. */
export interface ArchiveFacts {
  /** Bytes. */
  size: number;
  /** A strong validator, with its quotes. */
  etag: string;
  /** The number of entries. */
  entries: number;
}

/** The entries to extract, and where to. */
export interface ExtractRequest {
  /** The archive. */
  from: EntryPath;
  /** The new folder. */
  to: EntryPath;
  /** Picks another name on a conflict. */
  rename: boolean;
  /** Paths in the archive; all of it when left out. */
  chosen?: EntryPath[];
  /** The name of the hidden folder in which it is extracted. */
  staging: string;
}

/** A request to extract an archive, likewise. */
export interface ExtractOrder {
  access: SentAccess;
  request: ExtractRequest;
}
