import type { Sorting } from "../../../../shared/schemas/view.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import type { SentAccess } from "../../../core/access/gate.ts";

/** A viewer and an archive to browse. Plain data that can be posted to a Worker. */
export interface BrowseOrder {
  access: SentAccess;
  /** The archive. */
  archive: EntryPath;
}

/** Asks for some rows of a folder in an archive. */
export interface ListOrder extends BrowseOrder {
  /** How long the answer may wait until the archive is read, in milliseconds; null for ever. */
  waitMs: number | null;
  /** The folder in the archive. */
  inside: EntryPath;
  sorting: Sorting;
  offset: number;
  limit: number;
}

/** Asks for the content of a file in an archive. */
export interface EntryOrder extends BrowseOrder {
  /** The file in the archive. */
  entry: EntryPath;
}

/** How far an archive has been read. */
export interface ReadingProgress {
  /** Bytes of the archive. */
  bytes: number;
  /** Bytes of the archive in all. */
  size: number;
}

/** Facts about a file in an archive, before its content. */
export interface EntryFacts {
  name: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970; null where the archive does not tell. */
  modified: number | null;
  /** A strong validator, with its quotes. */
  etag: string;
  /** Of what is a text by its name: its encoding, found by its beginning; null for what is none. */
  encoding?: string | null;
}
