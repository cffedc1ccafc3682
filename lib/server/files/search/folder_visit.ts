import type { Child } from "../../core/access/folder_visibility.ts";
import {
  type FoundEntry,
  type LookedEntry,
  SearchFolder,
} from "../../core/access/search_folder.ts";
import type { SearchResult, TreeEntry } from "../../../shared/schemas/entry.ts";
import { childrenOf, type EntryPath } from "../../../shared/path.ts";
import { DiskError } from "../../core/disk/disk.ts";
import type { Needle } from "../../core/disk/directory_records.ts";
import { stateText } from "../../core/disk/facts.ts";
import { mounts } from "../../core/disk/mounts.ts";
import { DomainError } from "../../../shared/errors.ts";
import { isoText, modifiedOf } from "../listing/entries.ts";
import { wallClock } from "../listing/taken_order.ts";
import { typeOfName } from "../content/types.ts";
import { isInRange, nameTestOf, type PlacedResult, type SearchOptions } from "./query.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";

/** The results of a walk: those of a query, or all entries. Plain data that can be posted. */
export type WalkOrder = Omit<SearchOptions, "format"> | "all";

/** The work of a walk in each folder. */
export interface FolderVisit {
  /** As `branch.pick`. */
  pick(branch: SearchFolder): FoundEntry;
  /** As `branch.pick`; nothing for a folder that is gone, unreadable or an unavailable mount. */
  pickIfThere(branch: SearchFolder): FoundEntry;
  /** The results among the hits in a folder. They are read as they are taken. */
  results(branch: SearchFolder, hits: readonly Child[]): Iterable<SearchResult | TreeEntry>;
}

/** Prepares an order for many folders. */
export function folderVisitOf(order: WalkOrder): FolderVisit {
  return order === "all" ? treeVisit : searchVisit(order);
}

const treeVisit: FolderVisit = {
  pick: (branch) => branch.pick(() => true),
  pickIfThere: (branch) => pick(branch, () => true),
  *results(branch, hits) {
    const pathOf = childrenOf(branch.path);
    for (const looked of look(branch, hits)) {
      yield treeEntryOf(pathOf(looked.child.name), looked);
    }
  },
};

function searchVisit(order: Exclude<WalkOrder, "all">): FolderVisit {
  const { query, details, media, prefix } = order;
  const { matches, needle, typeMatches } = nameTestOf(query);
  const isLooked = [details, media, query.size, query.modified, query.date].some(Boolean);
  const wallOf = query.date ? wallClock(query.timeZone) : Number;
  return {
    pick: (branch) => branch.pick(matches, needle),
    pickIfThere: (branch) => pick(branch, matches, needle),
    results(branch, hits) {
      const fitting = hits.filter(typeMatches);
      return isLooked
        ? looked(branch, fitting, { ...order, wallOf })
        : named(branch, fitting, prefix);
    },
  };
}

/** The results of one folder, of which only the names are needed. */
function* named(
  branch: SearchFolder,
  hits: readonly Child[],
  before: string,
): Generator<SearchResult> {
  const prefix = before + prefixOf(branch);
  for (const { name, isFolder } of hits) yield { path: prefix + name, dir: isFolder };
}

/** The results of one folder whose size and times the query or the reader wants. */
function* looked(
  branch: SearchFolder,
  hits: readonly Child[],
  { query, details, media, prefix: before, wallOf }: Exclude<WalkOrder, "all"> & {
    /** What a clock on the wall shows at a time. */
    wallOf: (time: number) => number;
  },
): Generator<PlacedResult> {
  const prefix = before + prefixOf(branch);
  for (const entry of look(branch, hits)) {
    const { child: { name }, info } = entry;
    const time = modifiedOf(info).getTime();
    const size = sizeOf(entry);
    if (!isInRange(query.modified, time)) continue;
    if (query.size && (info.isDirectory || !isInRange(query.size, size))) continue;
    const isPlaced = media && info.isFile && isPicture(name);
    if (query.date && !isPlaced && !isInRange(query.date, wallOf(time))) continue;
    const result = { path: prefix + name, dir: info.isDirectory };
    const facts = { size, modified: isoText(time) };
    if (isPlaced) yield { ...result, ...facts, facts: [branch.real, stateText(info)] };
    else yield details ? { ...result, ...facts } : result;
  }
}

function isPicture(name: string): boolean {
  const type = typeOfName(name);
  return type === "image" || type === "video";
}

function treeEntryOf(path: EntryPath, entry: LookedEntry): TreeEntry {
  const { child: { name }, info } = entry;
  return {
    path,
    name,
    size: sizeOf(entry),
    modified: isoText(modifiedOf(info).getTime()),
    isDir: info.isDirectory,
  };
}

/** Of a broken link none: its own size is the length of its text. */
function sizeOf({ child: { target }, info }: LookedEntry): number {
  return target !== null && target.kind !== "inside" ? 0 : info.size;
}

/** As `branch.look`; nothing for a folder that is gone, unreadable or an unavailable mount. */
export function* look(branch: SearchFolder, hits: readonly Child[]): Generator<LookedEntry> {
  if (hits.length === 0) return;
  try {
    yield* branch.look(hits);
  } catch (error) {
    if (!isLeftOut(branch, error)) throw error;
  }
}

/** As `branch.pick`; nothing for a folder that is gone, unreadable or an unavailable mount. */
export function pick(
  branch: SearchFolder,
  matches: (name: string) => boolean,
  needle?: Needle,
): FoundEntry {
  try {
    return branch.pick(matches, needle);
  } catch (error) {
    if (isLeftOut(branch, error)) return { hits: [], branches: [], orphans: [] };
    throw error;
  }
}

/** As `branch.spent`; none in a folder that is gone, unreadable or an unavailable mount. */
export function spentIn(branch: SearchFolder, orphans: readonly string[]): string[] {
  if (orphans.length === 0) return [];
  try {
    return branch.spent(orphans);
  } catch (error) {
    if (isLeftOut(branch, error)) return [];
    throw error;
  }
}

function prefixOf({ below }: SearchFolder): string {
  return below === "/" ? "" : `${below.slice(1)}/`;
}

/** Whether an error of reading a folder means that a walk leaves the folder out. */
function isLeftOut(branch: SearchFolder, error: unknown): boolean {
  // A folder that was removed after it was opened has no entries to read (ENOENT).
  const isGone = error instanceof DiskError && error.code === "ENOENT";
  return isGone || error instanceof DomainError || mounts.isPoint(branch.real);
}

/** Time of one batch, in milliseconds: a cancelled walk ends after it. */
const maxMs = 8;

/** Length of the results of one batch, in characters, after which no more folders are visited. */
const partLength = 64 * 1024;

/** A folder with more hits is left to the walk itself, which waits for a slow reader. */
const maxHits = 1_000;

/** The result of visiting some folders. Plain data: texts are cheap to post. */
export interface Visited {
  /** The number of folders that were visited; the others are left to do. */
  count: number;
  /** The results, one JSON object a line. */
  lines: string;
  /** The subfolders, as of {@link packFolders}. */
  branches: string;
}

/**
 * Visits folders in their order and gathers the results, until they are many or it takes long. No
 * folder is visited when the first has too many hits to be gathered.
 */
export function visitBatch(visit: FolderVisit, folders: readonly SearchFolder[]): Visited {
  const end = performance.now() + maxMs;
  const visited: Visited = { count: 0, lines: "", branches: "" };
  const branches: SearchFolder[] = [];
  for (const folder of folders) {
    const found = visit.pickIfThere(folder);
    if (found.hits.length > maxHits) break;
    for (const result of visit.results(folder, found.hits)) {
      visited.lines += `${JSON.stringify(result)}\n`;
    }
    for (const branch of found.branches) branches.push(branch);
    visited.count++;
    if (visited.lines.length >= partLength || performance.now() >= end) break;
  }
  visited.branches = packFolders(branches);
  return visited;
}

/** Folders of a walk as one text, for another thread. */
export function packFolders(folders: readonly SearchFolder[]): string {
  return folders.map(({ below, caseInsensitive }) => caseInsensitive ? `i${below}` : below)
    .join("\0");
}

/** The inverse of {@link packFolders}. @param top the folder at which the walk began */
export function unpackFolders(top: FolderHandle, packed: string): SearchFolder[] {
  if (packed === "") return [];
  return packed.split("\0").map((text) => {
    const caseInsensitive = !text.startsWith("/");
    return SearchFolder.below(top, caseInsensitive ? text.slice(1) : text, caseInsensitive);
  });
}
