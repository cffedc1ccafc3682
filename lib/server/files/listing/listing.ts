import type { Entry, Sorting } from "../../../shared/api_types.ts";
import type { Child, FolderHandle } from "../../access/folder_handle.ts";
import { childrenOf } from "../../../shared/path.ts";
import type { OpenFolder } from "../../disk/disk.ts";
import { displayedFacts, type EntryInfo, entryOf, modifiedOf } from "./entries.ts";
import { collectGarbage } from "../../concurrency/collect_garbage.ts";
import { type Groups, sortByName, sortEntries } from "./sort.ts";
import type { Pauses } from "../../concurrency/pauses.ts";

/** The window and order of a listing. */
export interface ListOptions {
  /** Entries to skip; 0 by default. */
  offset?: number;
  /** Maximum number of entries; all by default. */
  limit?: number;
  /** The name of an entry: selects the window of `limit` entries that contains it. */
  around?: string;
  sorting: Sorting;
}

/** Counts of the whole folder, whatever the window. */
export interface Counts {
  numDirs: number;
  numFiles: number;
}

/** Facts of a listing besides its entries. */
export interface Listed extends Counts {
  /** Where the window begins, when a name selected it. */
  offset?: number;
}

/** Returns the entries of a folder, sorted by name: freshly read, or cached. */
export type NamesOf = (folder: FolderHandle, open: OpenFolder) => Groups<Child>;

/** An entry with its facts on the disk. */
interface Looked {
  child: Child;
  info: EntryInfo;
}

/** Entries examined between two pauses. */
const stride = 512;

/** Reads the names of a folder and sorts them. */
export const readNames: NamesOf = (folder, open) => {
  const { children } = folder.readOpen(open);
  collectGarbage(children.length);
  return sortByName(children);
};

/**
 * Lists a folder: passes on the entries of the window one by one, so that a large folder is never
 * in memory as a whole. Sorted by name, only entries of the window are examined; the other orders
 * need all. Entries and counts exclude what is hidden from the viewer.
 *
 * @param take receives the entries
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function listFolder(
  folder: FolderHandle,
  options: ListOptions,
  canModify: boolean,
  take: (entry: Entry) => void,
  pauses: Pauses,
  namesOf: NamesOf = readNames,
): Promise<Listed> {
  const { sorting } = options;
  using open = folder.open();
  const names = namesOf(folder, open);
  if (pauses.isDue) await pauses.pause();
  const pathOf = childrenOf(folder.path);
  const give = ({ child: { name, target }, info }: Looked) => {
    const isBroken = target !== null && target.kind !== "inside";
    take(entryOf({ name, path: pathOf(name), info, isLink: target !== null, isBroken }, canModify));
  };

  if (sorting.by === "name") {
    const all = sortEntries(names, sorting, () => 0);
    const { window, found } = cut(all, options, ({ name }) => name);
    const gone = await look(folder, open, window, give, pauses);
    const { numDirs, numFiles } = countsOf(names);
    return { numDirs: numDirs - gone.numDirs, numFiles: numFiles - gone.numFiles, ...found };
  }
  const groups: Groups<Looked> = { folders: [], files: [] };
  const keepIn = (group: Looked[]) => ({ child, info }: Looked) => {
    group.push({ child, info: displayedFacts(info) });
  };
  await look(folder, open, names.folders, keepIn(groups.folders), pauses);
  await look(folder, open, names.files, keepIn(groups.files), pauses);
  const numberOf = sorting.by === "size"
    ? ({ info }: Looked) => info.size
    : ({ info }: Looked) => modifiedOf(info).getTime();
  const all = sortEntries(groups, sorting, numberOf);
  const { window, found } = cut(all, options, ({ child }) => child.name);
  for (const [index, looked] of window.entries()) {
    give(looked);
    if (index % stride === stride - 1 && pauses.isDue) await pauses.pause();
  }
  return { ...countsOf(groups), ...found };
}

/** The requested window; the given one when the name that selects it does not exist. */
function cut<T>(all: T[], options: ListOptions, nameOf: (entry: T) => string) {
  const { offset = 0, limit = Infinity, around } = options;
  const at = around === undefined ? -1 : all.findIndex((entry) => nameOf(entry) === around);
  const start = at === -1 ? offset : at - at % (limit || 1);
  const window = all.slice(start, start + limit);
  return { window, found: around === undefined ? undefined : { offset: start } };
}

/** Corrects the counts for entries that vanished since the names were read. */
async function look(
  folder: FolderHandle,
  open: OpenFolder,
  children: Child[],
  take: (looked: Looked) => void,
  pauses: Pauses,
): Promise<Counts> {
  const gone: Counts = { numDirs: 0, numFiles: 0 };
  for (const [index, child] of children.entries()) {
    const info = folder.stat(child, open);
    if (info) take({ child, info });
    else if (child.isFolder) gone.numDirs++;
    else gone.numFiles++;
    if (index % stride === stride - 1 && pauses.isDue) await pauses.pause();
  }
  return gone;
}

function countsOf({ folders, files }: Groups<unknown>): Counts {
  return { numDirs: folders.length, numFiles: files.length };
}
