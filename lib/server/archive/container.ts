import type { ChildFile, FileFacts } from "../access/child_file.ts";
import type { ChosenFile } from "./chosen_file.ts";

/** A regular file that goes into an archive. */
export type Source = ChildFile | ChosenFile;

/**
 * What a walk fills. Names are those in the archive, without a slash at the end: safe, relative,
 * not empty. A folder comes before what is in it.
 */
export interface Container {
  /** Takes a folder; a promise only where there is something to wait for. */
  folder(name: string, facts: FileFacts): Promise<void> | void;
  /** Takes a file, likewise. */
  file(name: string, source: Source): Promise<void> | void;
}
