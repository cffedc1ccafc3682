/** What is known of one of two entries that want the same name. */
export interface EntryFacts {
  isDir: boolean;
  /** Bytes; of no meaning for a folder. */
  size: number;
  /** RFC 3339. */
  modified: string;
}

/** A name that is taken where an entry is about to be put. */
export interface Conflict {
  name: string;
  /** What comes, and what is there, as far as known. */
  coming?: EntryFacts;
  there?: EntryFacts;
}

/** What becomes of an entry whose name is taken: it replaces, is given another name, or stays away. */
export type Choice = "replace" | "keep" | "skip";

/** What becomes of each, by name; names that are missing stay away. */
export type Choices = ReadonlyMap<string, Choice>;

/** Names that exist already where something is about to be put. */
export interface ReplaceQuestion {
  conflicts: readonly Conflict[];
  /** Whether the user may replace at all (permission `modify`). */
  mayReplace: boolean;
  /** Others come besides, so that leaving one out is not the same as giving up. */
  others: boolean;
}

/** Whether replacing is possible: a folder does not replace a file, nor a file a folder. */
export function canReplace({ coming, there }: Conflict): boolean {
  return coming === undefined || there === undefined || coming.isDir === there.isDir;
}

/** Whether replacing means that one folder takes in what is in the other. */
export function merges({ coming, there }: Conflict): boolean {
  return coming?.isDir === true && there?.isDir !== false;
}
