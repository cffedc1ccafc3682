import type { Grouping } from "../../../shared/schemas/choices/choices.ts";
import type { Group } from "../../../shared/schemas/entry.ts";
import type { FolderView, Sorting } from "../../../shared/schemas/view.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import { foldText } from "../../../shared/fold.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import type { FactsTable } from "./facts_table.ts";
import { NameTable, type SentNames } from "./name_table.ts";
import { describeWindow, type EntrySink, type WindowSource } from "./describe_window.ts";
import { type ReadElsewhere, readFacts } from "./read_facts.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { collectGarbage } from "../../core/concurrency/collect_garbage.ts";
import { type Groups, sortInSteps } from "./sort.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import { type FolderSizes, type Sized, sizedOf, sizesOf } from "./size_order.ts";
import { dayOf, type TakenTimes, wallTimes } from "./taken_order.ts";
import { type EntryKind, entryKind, entryKinds } from "../../../shared/entry_kind.ts";
import { extensionOf, typeOfName } from "../content/types.ts";

/** The window and order of a listing. */
export interface ListOptions {
  /** Entries to skip; 0 by default. */
  offset?: number;
  /** Maximum number of entries; all by default. */
  limit?: number;
  /** The name of an entry: selects the window of `limit` entries that contains it. */
  around?: string;
  /**
   * The beginning of a name, in any case: selects the window of `limit` entries that contains the
   * first such entry from `offset` on, or the first of all.
   */
  startsWith?: string;
  /** Words that must all be in the name, whatever their case; all entries by default. */
  filter?: string;
  sorting: Sorting;
  /** How the entries are grouped; not at all by default. */
  groupBy?: Grouping;
  /** The time zone of the months; an IANA name. */
  timeZone?: string;
  /** When pictures were taken, for that order. */
  taken?: TakenTimes;
  /** The known sizes of subfolders with everything below them, for the order by size. */
  sizes?: FolderSizes;
  /** How many pictures are still to be read for that order, for the answer. */
  unread?: number;
  /** How the viewer looks at the folder, for the answer. */
  view?: FolderView;
  /** Count pictures, for the answer. */
  countsPictures?: boolean;
  /** The names of the entries that the viewer shares; none by default. */
  shared?: ReadonlySet<string>;
  /** Ends the path of the folder with a slash: clients of File Browser append names to it. */
  slashed?: boolean;
}

/** Counts of the whole folder, or of what the filter leaves of it, whatever the window. */
export interface Counts {
  numDirs: number;
  numFiles: number;
}

/** Facts of a listing besides its entries. */
export interface Listed extends Counts, Partial<Sized> {
  /** Where the window begins, when a name, or the beginning of one, selected it. */
  offset?: number;
  /** The groups of the whole folder, when it is grouped. */
  groups?: Group[];
  groupBy?: Grouping;
  view?: FolderView;
  /** Pictures and videos in the whole folder, if they are counted. */
  pictures?: number;
  /** Pictures whose date of taking is not known yet, in that order. */
  unread?: number;
}

/** Returns the entries of a folder, sorted by name: freshly read, or cached. */
export type NamesOf = (
  folder: FolderHandle,
  open: OpenFolder,
  pauses: Pauses,
) => Promise<NameTable>;

const noNames: ReadonlySet<string> = new Set();

/** Entries examined between two pauses. */
const stride = 512;

/** The least number of entries that another thread describes: at first it takes twice as long. */
const minHalf = 10_000;

/** The largest folder of which it describes half: it would take the names' memory twice. */
const maxNames = 200_000;

/** A part of a large window as it is sent to another thread. */
export interface SentPart {
  path: EntryPath;
  /** The folder whose names these are. */
  entry: Pick<Facts, "ino" | "dev">;
  names: SentNames;
  /** The entries of the part, in order. */
  numbers: readonly number[];
  shared: ReadonlySet<string>;
}

/**
 * Has another thread describe a part: JSON in UTF-8, without brackets.
 *
 * @returns null if no thread is ready, or, later, if the folder has changed meanwhile
 */
export type DescribeElsewhere = (
  part: SentPart,
) => Promise<Uint8Array<ArrayBuffer>[] | null> | null;

/** Another thread that helps with the listing of a large folder. */
export interface ListingHelper {
  /** For half of a large window. */
  describe?: DescribeElsewhere;
  /** For the facts of a huge folder. */
  readFacts?: ReadElsewhere;
}

/** Reads the names of a folder and sorts them. */
export const readNames: NamesOf = async (folder, open, pauses) => {
  const names = await NameTable.of(folder.readInParts(open), pauses);
  if (pauses.isDue) await pauses.pause();
  collectGarbage(names.count);
  return names;
};

/**
 * Lists a folder: passes on the entries of the window one by one, so that a large folder is never
 * in memory as a whole. Sorted by name, only entries of the window are examined; the other orders
 * need all. Entries and counts exclude what is hidden from the viewer.
 *
 * @param sink receives the entries
 * @param helper with it, the sink takes JSON, too
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function listFolder(
  folder: FolderHandle,
  options: ListOptions,
  sink: EntrySink,
  pauses: Pauses,
  namesOf: NamesOf = readNames,
  helper: ListingHelper = {},
): Promise<Listed> {
  const { sorting, shared = noNames } = options;
  using open = folder.open();
  const names = await namesOf(folder, open, pauses);
  if (pauses.isDue) await pauses.pause();
  const wanted = await filtered(names, pauses, options.filter);
  const about = await aboutOf(names, wanted, options, pauses);

  const byTime = options.groupBy === "month" || options.groupBy === "day";
  const readsAll = sorting.by !== "name" || byTime;
  const source = { folder, open, names, shared, readElsewhere: helper.readFacts };
  const facts = readsAll
    ? await readFacts(source, wanted.folders.concat(wanted.files), pauses)
    : null;
  const entries = facts ? knownOf(wanted, facts) : wanted;
  const isByTaken = sorting.by === "taken" || options.groupBy === "day";
  const wallOf = facts && isByTaken
    ? await wallTimes(source, entries.folders.concat(entries.files), facts, options, pauses)
    : null;
  const bySize = facts && sorting.by === "size" && options.sizes
    ? { names, facts, sizes: options.sizes }
    : null;
  const numberOf = wallOf && sorting.by === "taken"
    ? wallOf
    : bySize
    ? sizesOf(bySize, entries.folders, sorting.asc)
    : numberFrom(facts, sorting);
  const sized = bySize && sizedOf(bySize, entries.folders);
  const { all, groups } = byTime && facts
    ? await inTimes(entries, { options, numberOf, facts, wallOf }, pauses)
    : await ordered(entries, options, names, numberOf, pauses);
  if (pauses.isDue) await pauses.pause();
  await sink.inOrder?.(source, all);
  const { window, begin } = cut(all, options, names);
  const counts = countsOf(entries);
  const describe = async (numbers: readonly number[]) => {
    const vanished = await describeWindow(source, numbers, facts, sink, pauses);
    counts.numDirs -= vanished.numDirs;
    counts.numFiles -= vanished.numFiles;
  };
  const half = window.length >>> 1;
  const theirs = facts ? null : describedElsewhere(source, window, half, helper.describe);
  await describe(theirs ? window.slice(0, half) : window);
  const pages = await theirs;
  if (pages) sink.append?.(pages);
  else if (theirs) await describe(window.slice(half));
  return { ...counts, ...about, ...sized, ...groups, ...begin };
}

/**
 * Has another thread describe a window from an index on.
 *
 * @returns null if none does, or, later, if it could not
 */
function describedElsewhere(
  { folder, open, names, shared }: WindowSource,
  window: readonly number[],
  from: number,
  elsewhere?: DescribeElsewhere,
): ReturnType<DescribeElsewhere> {
  if (window.length - from < minHalf || names.count > maxNames || !names.sent) return null;
  const { ino, dev } = open.facts();
  const numbers = window.slice(from);
  const part = { path: folder.path, entry: { ino, dev }, names: names.sent, numbers, shared };
  return elsewhere?.(part)?.catch(() => null) ?? null;
}

/** The entries that have facts. */
function knownOf({ folders, files }: Groups<number>, facts: FactsTable): Groups<number> {
  const isKnown = (number: number) => facts.has(number);
  return { folders: folders.filter(isKnown), files: files.filter(isKnown) };
}

/** The part of an answer about the whole folder, besides its counts. */
async function aboutOf(
  names: NameTable,
  { files }: Groups<number>,
  { view, countsPictures, groupBy, unread }: ListOptions,
  pauses: Pauses,
): Promise<Omit<Listed, keyof Counts>> {
  const pictures = countsPictures ? await names.pictures(files, pauses) : undefined;
  return {
    ...(view && { view }),
    ...(pictures !== undefined && { pictures }),
    ...(unread && { unread }),
    ...(groupBy && groupBy !== "none" && { groupBy }),
  };
}

/** All entries in order: as they are, or by their kinds. */
async function ordered(
  entries: Groups<number>,
  { sorting, groupBy }: ListOptions,
  names: NameTable,
  numberOf: (entry: number) => number,
  pauses: Pauses,
): Promise<{ all: readonly number[]; groups?: { groups: Group[] } }> {
  if (entries === names.sorted && groupBy !== "kind") return { all: names.inOrder(sorting.asc) };
  const sort = (groups: Groups<number>) => pauses.between(sortInSteps(groups, sorting, numberOf));
  if (groupBy !== "kind") return { all: await sort(entries) };
  const folders = await sort({ ...entries, files: [] });
  const files = await sort({ ...entries, folders: [] });
  const kindOf = (entry: number) => kindOfName(names.name(entry), names.isBroken(entry));
  const { all, groups } = groupEntries(folders, files, kindOf, compareKinds);
  return { all, groups: { groups } };
}

/** What entries are put in months or days by. */
interface ByTime {
  options: ListOptions;
  /** By which they are sorted. */
  numberOf: (entry: number) => number;
  facts: FactsTable;
  /** The time on the wall, for days and for the time of taking. */
  wallOf: ((entry: number) => number) | null;
}

/** All entries by the months or days of their files: the latest first, unless the oldest are. */
async function inTimes(
  entries: Groups<number>,
  { options: { sorting, groupBy, timeZone = "UTC" }, numberOf, facts, wallOf }: ByTime,
  pauses: Pauses,
): Promise<{ all: number[]; groups: { groups: Group[] } }> {
  const sort = (groups: Groups<number>) => pauses.between(sortInSteps(groups, sorting, numberOf));
  const folders = await sort({ ...entries, files: [] });
  const files = await sort({ ...entries, folders: [] });
  const monthOfTime = monthsIn(timeZone);
  const length = groupBy === "day" ? "2026-11-29".length : "2026-11".length;
  const keyOf = wallOf
    ? (entry: number) => dayOf(wallOf(entry)).slice(0, length)
    : (entry: number) => monthOfTime(facts.modified(entry));
  const isByTime = sorting.by === "modified" || sorting.by === "taken";
  const sign = isByTime && sorting.asc ? 1 : -1;
  const order = (a: string, b: string) => sign * (a < b ? -1 : 1);
  const { all, groups } = groupEntries(folders, files, keyOf, order);
  return { all, groups: { groups } };
}

/** The size or time of an entry, by which it is sorted. */
function numberFrom(facts: FactsTable | null, { by }: Sorting): (entry: number) => number {
  if (!facts) return () => 0;
  return by === "size" ? (entry) => facts.size(entry) : (entry) => facts.modified(entry);
}

/** The entries whose names have all the words of a filter. */
async function filtered(
  names: NameTable,
  pauses: Pauses,
  filter = "",
): Promise<Groups<number>> {
  const words = foldText(filter).split(/\s+/).filter(Boolean);
  if (words.length === 0) return names.sorted;
  const matching = async (numbers: readonly number[]) => {
    const found: number[] = [];
    for (const [index, number] of numbers.entries()) {
      const text = foldText(names.name(number));
      if (words.every((word) => text.includes(word))) found.push(number);
      if (index % stride === stride - 1 && pauses.isDue) await pauses.pause();
    }
    return found;
  };
  const { folders, files } = names.sorted;
  return { folders: await matching(folders), files: await matching(files) };
}

/** The requested window; the given one when the name that selects it does not exist. */
function cut(all: readonly number[], options: ListOptions, names: NameTable) {
  const { offset = 0, limit = Infinity, around, startsWith } = options;
  const at = around !== undefined
    ? all.indexOf(names.find(around) ?? -1)
    : startsWith !== undefined
    ? findStart(all, startsWith.toLowerCase(), offset, names)
    : -1;
  const start = at === -1 ? offset : at - at % (limit || 1);
  // A copy of a million numbers takes milliseconds.
  const window = start === 0 && limit >= all.length ? all : all.slice(start, start + limit);
  return { window, begin: around === undefined && at === -1 ? undefined : { offset: start } };
}

/** The index of the next entry whose name starts so, from an index on, then from 0; -1 for none. */
function findStart(
  all: readonly number[],
  start: string,
  from: number,
  names: NameTable,
): number {
  const isWanted = (entry: number) => names.name(entry).toLowerCase().startsWith(start);
  const next = all.findIndex((entry, index) => index >= from && isWanted(entry));
  return next === -1 ? all.findIndex(isWanted) : next;
}

function countsOf({ folders, files }: Groups<unknown>): Counts {
  return { numDirs: folders.length, numFiles: files.length };
}

/** Entries in the order of their groups. */
interface Grouped<T> {
  all: T[];
  groups: Group[];
}

/**
 * Puts sorted entries in groups, folders in the first one. Within a group the order stays.
 *
 * @param keyOf the name of a file's group
 * @param order of the groups' names
 */
function groupEntries<T>(
  folders: readonly T[],
  files: readonly T[],
  keyOf: (entry: T) => string,
  order: (a: string, b: string) => number,
): Grouped<T> {
  const byKey = Map.groupBy(files, keyOf);
  const names = [...byKey.keys()].sort(order);
  const parts = [
    ["folder", folders] as const,
    ...names.map((name) => [name, byKey.get(name) ?? []] as const),
  ]
    .filter(([, entries]) => entries.length > 0);
  return {
    all: parts.flatMap(([, entries]) => entries),
    groups: parts.map(([name, entries]) => ({ name, count: entries.length })),
  };
}

/** The kind of a file, by its name alone: no file is read for it. */
function kindOfName(name: string, isBroken: boolean): EntryKind {
  const type = isBroken ? "invalid_link" : typeOfName(name) ?? "blob";
  return entryKind({ type, isDir: false, extension: extensionOf(name) });
}

/** Compares kinds of files by the order in which people read them. */
function compareKinds(a: string, b: string): number {
  return orderOfKind(a) - orderOfKind(b);
}

function orderOfKind(name: string): number {
  return (entryKinds as readonly string[]).indexOf(name);
}

/** The first moment of a month, in milliseconds since 1970, and its name. */
interface Month {
  from: number;
  /** The first moment of the next one. */
  to: number;
  name: string;
}

/**
 * Returns the month of a time as "2026-11", in a time zone. The zone is asked about each month
 * once: formatting every time of a large folder would take a second.
 *
 * @param timeZone an IANA name
 */
function monthsIn(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat("en-u-ca-gregory", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  });
  /** The time of a clock in the zone, as if it were UTC. */
  const wallTime = (time: number): number => {
    const parts = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  /** When a clock in the zone shows a time. */
  const momentOf = (wall: number): number => {
    const guess = wall - (wallTime(wall) - wall);
    return wall - (wallTime(guess) - guess);
  };
  const known: Month[] = [];
  return (time) => {
    const found = known.find(({ from, to }) => time >= from && time < to);
    if (found) return found.name;
    const wall = new Date(wallTime(Math.floor(time / 1000) * 1000));
    const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth()];
    const from = momentOf(Date.UTC(year, month));
    const to = momentOf(Date.UTC(year, month + 1));
    const name = wall.toISOString().slice(0, "2026-11".length);
    known.unshift({ from, to, name });
    return name;
  };
}
