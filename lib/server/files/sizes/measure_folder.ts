import { virtualTop } from "../../core/access/names.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, joinPaths, parsePath } from "../../../shared/path.ts";
import type { FolderSize } from "../../../shared/schemas/size.ts";
import type { Access } from "../../core/access/access.ts";
import { SearchFolder } from "../../core/access/search_folder.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import type { StreamCall } from "../../core/concurrency/serve_worker.ts";
import { DiskError } from "../../core/disk/disk.ts";
import { mounts } from "../../core/disk/mounts.ts";
import { FolderQueue } from "../search/folder_queue.ts";
import type { OwnSize, SizeCache } from "./size_cache.ts";

/** Interval of the totals that are sent on the way, in milliseconds. */
const reportEveryMs = 250;

/** The longest walk, in milliseconds; then the totals so far are the answer. */
const maxMs = 5 * 60_000;

/** How a folder is measured. */
export interface SizeOptions {
  /**
   * Only these entries, by their paths from the folder on, which are parsed where it is measured.
   * All of its entries when left out.
   */
  names?: readonly string[];
  /** `lines` sends totals on the way as well, one a line. */
  format: "json" | "lines";
  /**
   * Reads every folder again, and counts no bytes for links: what they lead to has its own place,
   * or lies elsewhere.
   */
  isExact?: boolean;
}

/** The cache of sizes between measurements, and the viewer they are for. */
export interface KeptSizes {
  cache: SizeCache;
  /** Equal for viewers who may see the same names. */
  viewer: string;
}

/**
 * Adds up the sizes of all files below a folder and sends the totals as JSON. Entries hidden from
 * the viewer do not count; linked folders are not entered, linked files count as their targets.
 * Folders that cannot be read are counted as such.
 *
 * @throws {DomainError} `invalid_path`, `forbidden`, `not_found`
 */
export async function measureFolder(
  access: Access,
  path: EntryPath,
  { names, format, isExact }: SizeOptions,
  keptSizes: KeptSizes,
  call: StreamCall,
): Promise<void> {
  const pauses = new Pauses(call.signal, "low");
  const end = performance.now() + maxMs;

  await pauses.pause();
  const top = access.folder(path);
  const chosen = names && await parsePaths(names, pauses);
  call.open(null);
  const walk = new TreeWalk(isExact ? null : keptSizes, pauses);
  const { total } = walk;
  if (chosen) walk.add(await addNamed(access, path, chosen, total, pauses));
  else walk.add([SearchFolder.of(top)]);

  let reportedAt = performance.now();
  await walk.run(end, async () => {
    if (format === "json" || performance.now() - reportedAt < reportEveryMs || !call.hasCapacity) {
      return;
    }
    reportedAt = performance.now();
    await call.send(lineOf(total));
  });
  await call.send(lineOf(total));
}

/** For how long each folder is measured at first, in milliseconds: no other waits for a huge one. */
const firstTurnMs = 100;

/** The most folders that are half measured at a time: each holds the folders that it still has to visit. */
const maxHalf = 16;

/**
 * Measures each of some folders by itself, as {@linkcode measureFolder} does, and sends a
 * {@linkcode MeasuredFolder} a line for each, the quick ones first. Links and what is not there are
 * left out; what is not done after five minutes is sent as it is.
 *
 * @param names of entries right in the folder
 * @throws {DomainError} `invalid_path`, `forbidden`, `not_found`
 */
export async function measureEach(
  access: Access,
  path: EntryPath,
  names: readonly string[],
  keptSizes: KeptSizes,
  call: StreamCall,
): Promise<void> {
  const pauses = new Pauses(call.signal, "low");
  const end = performance.now() + maxMs;
  const half: { name: string; walk: TreeWalk; ms: number }[] = [];
  const goOn = async (each: typeof half[number], turnMs: number) => {
    const from = performance.now();
    await each.walk.run(Math.min(from + turnMs, end));
    each.ms += performance.now() - from;
    if (each.walk.total.isPartial && performance.now() < end) return half.push(each);
    const measured: MeasuredFolder = {
      name: each.name,
      ...each.walk.total,
      ms: Math.round(each.ms),
    };
    await call.send(new TextEncoder().encode(`${JSON.stringify(measured)}\n`));
  };

  await pauses.pause();
  access.folder(path);
  call.open(null);
  for (const [index, at] of (await parsePaths(names, pauses)).entries()) {
    const top = folderAt(access, joinPaths(path, at));
    if (!top) continue;
    const walk = new TreeWalk(keptSizes, pauses);
    walk.add([top]);
    await goOn({ name: names[index] as string, walk, ms: 0 }, firstTurnMs);
    const oldest = half.length > maxHalf ? half.shift() : undefined;
    if (oldest) await goOn(oldest, maxMs);
  }
  for (let turnMs = 2 * firstTurnMs; half.length > 0; turnMs *= 2) {
    for (const each of half.splice(0)) await goOn(each, turnMs);
  }
}

/** The totals of one folder among others. */
export interface MeasuredFolder extends FolderSize {
  name: string;
  /** How long that took, in milliseconds. */
  ms: number;
}

/** A folder that can be walked; null for anything else. */
function folderAt(access: Access, path: EntryPath): SearchFolder | null {
  return unlessRefused(() => {
    const entry = access.stat(path);
    return entry.isFolder && !entry.isLink ? SearchFolder.of(access.folder(entry)) : null;
  });
}

/** The walk through a tree, which can be left off and taken up again. */
class TreeWalk {
  /** The totals so far. */
  readonly total: FolderSize = { bytes: 0, files: 0, folders: 0, unreadable: 0, isPartial: true };
  readonly #queue = new FolderQueue<SearchFolder>();
  readonly #kept: KeptSizes | null;
  readonly #pauses: Pauses;

  /** @param kept null to read every folder again */
  constructor(kept: KeptSizes | null, pauses: Pauses) {
    this.#kept = kept;
    this.#pauses = pauses;
  }

  /** Adds folders to be visited with everything below them. */
  add(branches: SearchFolder[]): void {
    this.#queue.add(branches);
  }

  /**
   * Visits folders until a time.
   *
   * @param end by `performance.now()`
   * @param onVisited called after each folder
   * @throws the reason of the pauses' signal
   */
  async run(end: number, onVisited?: () => Promise<void>): Promise<void> {
    while (performance.now() < end) {
      const branch = this.#queue.next();
      if (!branch) break;
      this.add(await addFolder(branch, this.total, this.#kept, this.#pauses));
      if (this.#pauses.isDue) await this.#pauses.pause();
      await onVisited?.();
    }
    this.total.isPartial = this.#queue.size > 0;
  }
}

/** Adds the entries right in a folder to the totals. @returns its subfolders */
async function addFolder(
  branch: SearchFolder,
  total: FolderSize,
  keptSizes: KeptSizes | null,
  pauses: Pauses,
): Promise<SearchFolder[]> {
  try {
    // Its roots come and go without it.
    const kept = branch.real === virtualTop ? null : keptSizes;
    const readAt = kept?.cache.now() ?? 0;
    const info = branch.facts();
    // Removed meanwhile: it takes no space any more.
    if (!info) return [];
    let size = kept?.cache.get(branch, kept.viewer, info);
    // Such a disk may tell of a folder that it can't read any more.
    if (size && mounts.concerning(branch.real, "entry").length > 0) branch.pick(() => false);
    if (!size) {
      const { own, hasLinks } = await readFolder(branch, kept !== null, pauses);
      // The target of a link changes without the folder.
      if (!hasLinks) kept?.cache.set(branch, kept.viewer, own, info, readAt);
      size = own;
    }
    total.bytes += size.bytes;
    total.files += size.files;
    total.folders += size.folders;
    const { branches, caseInsensitive } = size;
    return branches.map((name) => branch.branch(name, caseInsensitive));
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof DiskError)) throw error;
    total.unreadable++;
    return [];
  }
}

/** Reads a folder, without its subfolders. @param countsTargets whether links have bytes */
async function readFolder(
  branch: SearchFolder,
  countsTargets: boolean,
  pauses: Pauses,
): Promise<{ own: OwnSize; hasLinks: boolean }> {
  const { hits, branches } = branch.pick(() => true);
  const entries = hits.filter(({ kind }) => kind !== "folder");
  let [bytes, files, folders] = [0, 0, hits.length - entries.length];
  for (const { child: { target }, info } of entries.length > 0 ? branch.look(entries) : []) {
    if (info.isDirectory) folders++;
    else files++;
    // The size of a link that leads nowhere is the length of its text.
    const isOwn = target ? countsTargets && target.kind !== "outside" : true;
    if (info.isFile && isOwn) bytes += info.size;
    if (pauses.isDue) await pauses.pause();
  }
  const own: OwnSize = {
    bytes,
    files,
    folders,
    branches: branches.map(({ below }) => below.slice(below.lastIndexOf("/") + 1)),
    caseInsensitive: branches[0]?.caseInsensitive ?? branch.caseInsensitive,
  };
  return { own, hasLinks: entries.some(({ target }) => target !== null) };
}

/** Adds single entries to the totals, each once. @returns the folders among them */
async function addNamed(
  access: Access,
  folder: EntryPath,
  names: readonly EntryPath[],
  total: FolderSize,
  pauses: Pauses,
): Promise<SearchFolder[]> {
  const branches: SearchFolder[] = [];
  for (const name of topmost(names)) {
    if (pauses.isDue) await pauses.pause();
    try {
      const entry = access.stat(joinPaths(folder, name));
      if (entry.isFolder) total.folders++;
      else total.files++;
      if (entry.isFile) total.bytes += entry.info.size;
      if (entry.isFolder && !entry.isLink) branches.push(SearchFolder.of(access.folder(entry)));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      total.unreadable++;
    }
  }
  return branches;
}

async function parsePaths(names: readonly string[], pauses: Pauses): Promise<EntryPath[]> {
  const paths: EntryPath[] = [];
  for (const name of names) {
    if (pauses.isDue) await pauses.pause();
    paths.push(parsePath(name).path);
  }
  return paths;
}

/** Paths without those that are below another one of them, or there twice. */
function* topmost(paths: readonly EntryPath[]): Generator<EntryPath> {
  // No name has a NUL in it: sorted so, a folder comes right before all that is below it.
  const sorted = paths.map((path) => path.replaceAll("/", "\0")).sort();
  let last: string | undefined;
  for (const path of sorted) {
    if (last !== undefined && (path === last || path.startsWith(`${last}\0`))) continue;
    last = path;
    yield parsePath(path.replaceAll("\0", "/")).path;
  }
}

function lineOf(total: FolderSize): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(total)}\n`);
}
