import { virtualTop } from "../../core/access/names.ts";
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
  const kept = isExact ? null : keptSizes;
  const pauses = new Pauses(call.signal, "low");
  const end = performance.now() + maxMs;
  const total: FolderSize = { bytes: 0, files: 0, folders: 0, unreadable: 0, isPartial: true };
  const queue = new FolderQueue<SearchFolder>();

  await pauses.pause();
  const top = access.folder(path);
  const chosen = names && await parsePaths(names, pauses);
  call.open(null);
  if (chosen) queue.add(await addNamed(access, path, chosen, total, pauses));
  else queue.add([SearchFolder.of(top)]);

  let reportedAt = performance.now();
  let branch = queue.next();
  for (; branch && performance.now() < end; branch = queue.next()) {
    queue.add(await addFolder(branch, total, kept, pauses));
    if (pauses.isDue) await pauses.pause();
    if (format === "json" || performance.now() - reportedAt < reportEveryMs || !call.hasCapacity) {
      continue;
    }
    reportedAt = performance.now();
    await call.send(lineOf(total));
  }
  total.isPartial = branch !== undefined;
  await call.send(lineOf(total));
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
