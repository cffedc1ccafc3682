import type { ChildFile, FileFacts } from "../../core/access/folder_handle.ts";
import type { ChosenFile } from "./chosen_file.ts";

/** A regular file to archive. */
export type Source = ChildFile | ChosenFile;

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
