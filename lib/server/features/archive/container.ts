import type { EntryPath } from "../../../shared/path.ts";
import type { FileFacts } from "../../core/access/folder_handle.ts";
import type { OpenFile } from "../../core/disk/disk.ts";
import type { Facts } from "../../core/disk/facts.ts";

/** A file to archive while it is open. */
export type OpenSource = Pick<OpenFile, "read" | "facts"> & Disposable;

/** A regular file to archive. */
export interface Source {
  readonly path: EntryPath;
  readonly facts: FileFacts;
  /** Opens the file, which the caller closes. @throws {DomainError} when it is gone */
  open(): OpenSource;
  /** The facts of what is there now; null if nothing is. */
  look(): Facts | null;
}

/**
 * The target of a walk. Names are relative to the archive, safe, not empty, without a trailing
 * slash. A folder comes before its entries.
 */
export interface Container {
  /** Adds a folder; returns a promise only when it has to wait. */
  folder(name: string, facts: FileFacts): Promise<void> | void;
  /** Adds a file, likewise. */
  file(name: string, source: Source): Promise<void> | void;
}

/**
 * The permission bits that an archive keeps. Set-uid and set-gid are dropped: unpacking as root
 * would make an uploaded program run as root. The sticky bit is dropped as meaningless elsewhere.
 */
export function archivedMode({ mode }: FileFacts): number {
  return mode & 0o777;
}
