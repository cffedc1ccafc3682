import { setImmediate } from "node:timers/promises";
import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import { companionName, placeCompanion } from "../../core/access/companions.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { childOf, type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import { DiskError, type OpenFolder } from "../../core/disk/disk.ts";
import { disk } from "../../core/disk/this_disk.ts";
import { numberedName } from "../../../shared/numbered_name.ts";
import { commit, commitInto, isOtherDisk, type NamedEntry, toNameTaken } from "./staging.ts";
import {
  actionOf,
  type Conflict,
  entryAt,
  NameTaken,
  refuseInside,
  resolveConflict,
  type TransferRequest,
} from "./request.ts";
import { finishFolders, placesOf } from "./copy_tree.ts";
import { type StagedCopy, TransferJob } from "./job.ts";
import {
  originalsLeftError,
  removeEmptyFolder,
  removeFile,
  removeLink,
  removeOriginals,
} from "./finish_transfer.ts";
import type { AskCapacity } from "./growth.ts";
import type { ReportProgress } from "./progress.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { isSameEntry } from "../../core/disk/facts.ts";
import { renameToFree } from "../upload/free_name.ts";
import { OpenTree, type ScannedTree } from "./scan.ts";

/** The permissions that a folder needs to be renamed and filled. */
const movable = 0o700;

/** The destination of an entry. */
interface Destination {
  path: EntryPath;
  target: WriteHandle;
  /** The open folder that will contain it. */
  folder: OpenFolder;
  conflict: Conflict;
  /** The handles that made missing parent folders, and its own. */
  makers: WriteHandle[];
}

/**
 * Copies or moves an entry with its whole subtree.
 *
 * Everything is checked before any change: at both ends, at every depth. A move within a disk is
 * one rename, or one for each entry of a merged folder. Otherwise the copy is completed in a
 * staging folder and committed atomically; a move then deletes the originals. Until the commit, an
 * error or a disconnect leaves everything as it was. The result is synced to the disk.
 *
 * @param report takes the progress, and a complete copy before it gets its name
 * @param ask asks for room before a copy is begun, for a viewer with a quota
 * @returns the path that the entry has now
 * @throws {DomainError} `forbidden`, `not_found`, `exists`, `invalid_path`, `invalid_name`,
 * `not_a_file`, `not_supported`, `precondition_failed`, `disk_full`, `over_quota`, `read_only`; and
 * the signal's reason
 */
export async function runTransfer(
  access: Access,
  request: TransferRequest,
  signal: AbortSignal,
  report: ReportProgress = () => Promise.resolve(),
  ask?: AskCapacity,
): Promise<EntryPath> {
  const targets: WriteHandle[] = [];
  try {
    await using job = new TransferJob(access, request, signal, report, ask);
    return await transferToFreeName(job, targets);
  } catch (error) {
    for (const target of targets.toReversed()) target.removeMadeParents();
    throw asRefusal(error, actionOf(request));
  }
}

/** @returns the first candidate path */
async function transferToFreeName(job: TransferJob, targets: WriteHandle[]): Promise<EntryPath> {
  const { request, source, signal } = job;
  for (let number = 0;; number++) {
    const to = number === 0 ? request.to : numberedPath(request.to, number, source.isFolder);
    if (await tryTransfer(job, to, targets)) return to;
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** The path with a number in its last name. */
function numberedPath(path: EntryPath, number: number, isFolder: boolean): EntryPath {
  return childOf(parentOf(path), numberedName(nameOf(path), number, isFolder));
}

/** Tries to transfer to a path; false when the next name should be tried. */
async function tryTransfer(
  job: TransferJob,
  to: EntryPath,
  targets: WriteHandle[],
): Promise<boolean> {
  try {
    await transferTo(job, to, targets);
    return true;
  } catch (error) {
    if (job.request.rename && error instanceof NameTaken) return false;
    throw error;
  }
}

async function transferTo(
  job: TransferJob,
  path: EntryPath,
  targets: WriteHandle[],
): Promise<void> {
  const { access, source, request, action } = job;
  const isCopy = request.action === "copy";
  const target = openTarget(job, path);
  refuseInside(source, target, action);
  const conflict = resolveConflict(access, source, entryAt(access, path, isCopy), request);
  const isOpened = isCopy || conflict === "merge";
  if (isOpened || !job.canGoUnseen(target)) {
    await job.scan(isOpened);
    if (conflict !== "caseRename") await job.judgeAt(path, !isCopy);
  }

  await job.askParents(target);
  targets.push(target);
  using folder = target.open();
  // An earlier attempt may have made the parent folders.
  const makers = targets.filter((each) => each === target || each.lacksParents);
  const to = { path, target, folder, conflict, makers };
  if (isCopy) await copyTo(job, to);
  else await moveTo(job, to);
}

function openTarget({ access, request, action }: TransferJob, to: EntryPath): WriteHandle {
  if (to === "/") {
    throw new DomainError("forbidden", `${action}: the destination is the root of the scope`);
  }
  if (request.action === "copy") return access.create(to);
  const target = access.receive(to);
  // A move into missing folders also creates those.
  if (target.lacksParents) access.need(action, "create");
  return target;
}

/** Renames within a disk; otherwise copies, then deletes the originals. */
async function moveTo(job: TransferJob, to: Destination): Promise<void> {
  const { source, action } = job;
  using parent = source.openParent();
  const companion = source.companionIn(parent);
  if (await isRenamed(job, parent, to)) {
    if (companion) placeCompanion({ folder: parent, name: companion }, companionOf(to));
    await syncNames(to);
  } else {
    if (to.conflict === "merge") job.forgetScan();
    await job.scan(true);
    await job.judgeAt(to.path, false);
    const { single, companion } = await copyTo(job, to);
    await job.reportFinished();
    if (source.isFolder) await removeOriginals(job.tree, action, new Pauses());
    const isGone = single.files.every((file) => removeFile(parent, file)) &&
      single.links.every(({ name, text }) => removeLink(parent, name, text));
    if (companion) removeFile(parent, companion);
    if (!isGone) throw originalsLeftError(action);
  }
  if (parent.real !== to.folder.real) await parent.sync();
}

/** Tries to move by renaming; false when a part is on another disk. */
async function isRenamed(
  job: TransferJob,
  parent: OpenFolder,
  { target, folder, conflict }: Destination,
): Promise<boolean> {
  const { source, action } = job;
  const from = { folder: parent, name: source.name };
  const to = { folder, name: target.name };
  if (conflict !== "merge") return renameEntry(from, to, conflict, action);
  await job.reportLeftOut();
  if (!await renameInto(job.tree, action, new Pauses())) return false;
  await syncFolders(job, target);
  return true;
}

/** Makes the copy, commits and syncs it. */
async function copyTo(job: TransferJob, to: Destination): Promise<StagedCopy> {
  const { source, request, action } = job;
  const { target, folder, conflict } = to;
  const into = conflict === "merge" ? job.tree[0]?.into : null;
  const copy = await job.copyTo(into ?? folder.real);
  const from = { folder: copy.folder, name: source.name };
  if (!into) {
    await job.reportCommitting({ to: to.path, ino: copy.folder.look(source.name)?.ino ?? null });
    job.signal.throwIfAborted();
  }
  // A merge that is killed midway and goes on finds folders of its own, and leaves them as they are.
  if (into) {
    await finishFolders(job.tree, copy.places, new Pauses(), movable);
    await commitInto(job.tree, copy.places, request.action, action, new Pauses());
  } else {
    const replaces = conflict === "replace" ? request.action : null;
    commit(from, { folder, name: target.name }, replaces, action);
  }
  job.delivered();
  const { companion } = copy;
  if (companion) placeCompanion({ folder: copy.folder, name: companion.name }, companionOf(to));
  const places = source.isFolder ? placesOf(job.tree, target.real) : [];
  await job.reportInodes(folder, target.name, places);
  if (source.isFolder) {
    await finishFolders(job.tree, places, new Pauses());
    await syncFolders(job, target);
  }
  await syncNames(to);
  return copy;
}

/** The place of what macOS keeps beside an entry. */
function companionOf({ folder, target }: Destination): NamedEntry {
  return { folder, name: companionName(target.name) };
}

/** Syncs names and metadata of a tree's folders at their new places. */
async function syncFolders({ tree }: TransferJob, target: WriteHandle): Promise<void> {
  using top = disk.folder(tree[0]?.into ?? target.real);
  if (tree.length === 1) await top.sync();
  else await top.syncAll();
}

/** Syncs the committed name and the parent folders made for it. */
async function syncNames({ folder, makers }: Destination): Promise<void> {
  for (const maker of makers) await maker.sync(folder);
}

/**
 * Moves an entry within a disk, with its whole subtree, atomically. A free name is taken
 * exclusively: an entry that appears concurrently is not replaced.
 *
 * @returns false when the destination is on another disk: nothing was done
 * @throws {DomainError} `exists`
 * @throws {DiskError}
 */
function renameEntry(
  from: NamedEntry,
  to: NamedEntry,
  conflict: Exclude<Conflict, "merge">,
  action: string,
): boolean {
  try {
    if (conflict === "caseRename") from.folder.rename(from.name, to.folder, to.name);
    else if (conflict === "replace") replaceFile(from, to);
    else renameToFree(from.folder, from.name, to.folder, to.name);
    return true;
  } catch (error) {
    if (isOtherDisk(error)) return false;
    throw toNameTaken(error, action);
  }
}

/**
 * Merges a folder into an existing one on the same disk, and removes it. Each entry is moved
 * atomically; a folder without a counterpart moves with its whole subtree. Pipes, sockets and
 * devices whose names are taken stay, with the folders above them.
 *
 * @returns false when a part of it lies on another disk: that part stays
 * @throws {DomainError} `exists`; `precondition_failed` when an entry is added concurrently
 * @throws {DiskError}
 */
async function renameInto(
  tree: ScannedTree,
  action: string,
  pauses: Pauses,
): Promise<boolean> {
  using sources = new OpenTree(tree, (index) => tree[index]?.handle.real ?? "");
  using targets = new OpenTree(tree, (index) => tree[index]?.into ?? "");
  const take = (index: number, name: string, conflict: "free" | "replace") =>
    renameIfThere(
      { folder: sources.open(index), name },
      { folder: targets.open(index), name },
      conflict,
      action,
    );
  for (const [index, { name, parent, files, links, into }] of tree.entries()) {
    if (!into) {
      // Subfolders of a new folder move with it.
      if (tree[parent]?.into && !take(parent, name, "free")) return false;
      continue;
    }
    for (const { name, replaces } of files) {
      if (!take(index, name, replaces ? "replace" : "free")) return false;
      if (pauses.isDue) await pauses.pause();
    }
    for (const { name, text, isThere } of links) {
      if (isThere) removeLink(sources.open(index), name, text);
      else if (!take(index, name, "free")) return false;
      if (pauses.isDue) await pauses.pause();
    }
  }
  let isGone = true;
  const staying = new Set<number>();
  for (const [index, { into, handle, parent, others }] of [...tree.entries()].reverse()) {
    if (others.length > 0 || staying.has(index)) staying.add(parent);
    else if (into) isGone = removeEmptyFolder(handle.real) && isGone;
    if (pauses.isDue) await pauses.pause();
  }
  if (!isGone) throw originalsLeftError(action);
  return true;
}

/** Same as {@link renameEntry}; an entry that is gone counts as moved. */
function renameIfThere(
  from: NamedEntry,
  to: NamedEntry,
  conflict: "free" | "replace",
  action: string,
): boolean {
  try {
    return renameEntry(from, to, conflict, action);
  } catch (error) {
    if (error instanceof DiskError && error.code === "ENOENT") return true;
    throw error;
  }
}

function replaceFile(from: NamedEntry, to: NamedEntry): void {
  if (!to.folder.look(to.name)?.isFile) {
    return renameToFree(from.folder, from.name, to.folder, to.name);
  }
  const moved = from.folder.look(from.name);
  from.folder.rename(from.name, to.folder, to.name);
  // rename() keeps both of two hard links to one file: remove the source.
  const left = moved?.nlink === 1 ? null : from.folder.look(from.name);
  if (left && moved && isSameEntry(left, moved)) from.folder.removeFile(from.name);
}
