import type { Entry, Sorting } from "../api_types.ts";
import type { Child, FolderHandle } from "../access/folder_handle.ts";
import { childrenOf } from "../access/path.ts";
import { entryOf, modifiedOf } from "./entries.ts";
import { arrange, type Groups, sortByName } from "./sort.ts";
import type { Steps } from "./steps.ts";

/** Which entries of a folder to give, in which order. */
export interface ListOptions {
  /** How many to leave out at the beginning; 0 unless said. */
  offset?: number;
  /** How many to give at most; all unless said. */
  limit?: number;
  /** The name of an entry: of windows of `limit` entries, the one that it is in is meant. */
  around?: string;
  sorting: Sorting;
}

/** A window of a folder's entries, and the counts of the whole folder. */
export interface Listing {
  items: Entry[];
  numDirs: number;
  numFiles: number;
  /** Where the window begins, when it was looked for. */
  offset?: number;
}

/** Gives the entries of a folder, sorted by name: read anew, or kept from a moment ago. */
export type NamesOf = (folder: FolderHandle) => Groups<Child>;

/** An entry with what the disk says of it. */
interface Looked {
  child: Child;
  info: Deno.FileInfo;
}

/** How many entries are looked at between two rests. */
const stride = 512;

/** Reads the names of a folder and sorts them. */
export const readNames: NamesOf = (folder) => sortByName(folder.read().children);

/**
 * Lists a folder. By name, only the entries of the window are looked at one by one; the other
 * orders need all of them. What the viewer may not know of is missing from items and counts.
 *
 * @throws {DomainError} `forbidden`, `not_found` when the folder is swapped meanwhile
 */
export function* listFolder(
  folder: FolderHandle,
  options: ListOptions,
  canModify: boolean,
  namesOf: NamesOf = readNames,
): Steps<Listing> {
  const { sorting } = options;
  const names = namesOf(folder);
  yield;
  if (sorting.by === "name") {
    const all = arrange(names, sorting, () => 0);
    const { window, found } = cut(all, options, ({ name }) => name);
    const looked = yield* look(folder, window);
    const gone = window.length - looked.length;
    const items = yield* describeAll(folder, looked, canModify);
    const { numDirs, numFiles } = countsOf(names);
    return gone === 0
      ? { items, numDirs, numFiles, ...found }
      : { items, ...countsWithout(names, window, looked), ...found };
  }
  const groups = {
    folders: yield* look(folder, names.folders),
    files: yield* look(folder, names.files),
  };
  const numberOf = sorting.by === "size"
    ? ({ info }: Looked) => info.size
    : ({ info }: Looked) => modifiedOf(info).getTime();
  const all = arrange(groups, sorting, numberOf);
  const { window, found } = cut(all, options, ({ child }) => child.name);
  return { items: yield* describeAll(folder, window, canModify), ...countsOf(groups), ...found };
}

/** The window that is wanted; one that is looked for by a name that is not there is the given one. */
function cut<T>(all: T[], options: ListOptions, nameOf: (entry: T) => string) {
  const { offset = 0, limit = Infinity, around } = options;
  const at = around === undefined ? -1 : all.findIndex((entry) => nameOf(entry) === around);
  const start = at === -1 ? offset : at - at % (limit || 1);
  const window = all.slice(start, start + limit);
  return { window, found: around === undefined ? undefined : { offset: start } };
}

function* look(folder: FolderHandle, children: Child[]): Steps<Looked[]> {
  const looked: Looked[] = [];
  for (const [index, child] of children.entries()) {
    const info = folder.stat(child);
    if (info) looked.push({ child, info });
    if (index % stride === stride - 1) yield;
  }
  folder.verify();
  return looked;
}

function* describeAll(folder: FolderHandle, looked: Looked[], canModify: boolean): Steps<Entry[]> {
  const pathOf = childrenOf(folder.path);
  const items: Entry[] = [];
  for (const { child: { name, target }, info } of looked) {
    const isBroken = target?.kind === "broken";
    const facts = { name, path: pathOf(name), info, isLink: target !== null, isBroken };
    items.push(entryOf(facts, canModify));
    if (items.length % stride === 0) yield;
  }
  return items;
}

function countsOf({ folders, files }: Groups<unknown>) {
  return { numDirs: folders.length, numFiles: files.length };
}

/** Entries that vanished between reading the names and looking at them are not counted. */
function countsWithout(names: Groups<Child>, window: Child[], looked: Looked[]) {
  const present = new Set(looked.map(({ child }) => child));
  const gone = window.filter((child) => !present.has(child));
  const { numDirs, numFiles } = countsOf(names);
  const goneDirs = gone.filter((child) => child.isFolder).length;
  return { numDirs: numDirs - goneDirs, numFiles: numFiles - (gone.length - goneDirs) };
}
