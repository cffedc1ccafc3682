import type { Access } from "../../core/access/access.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import type { SourceHandle } from "../../core/access/source_handle.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { DiskError, type OpenFolder } from "../../core/disk/disk.ts";
import { type Facts, isSameEntry } from "../../core/disk/facts.ts";
import { disk } from "../../core/disk/this_disk.ts";
import { removeTree } from "../remove_tree.ts";
import { actionOf, entryAt, type TransferRequest } from "./request.ts";
import { finishFolders, isAsCopied, modifiedAt, placesOf } from "./copy_tree.ts";
import { scan, type ScannedFile, type ScannedFolder, type ScannedTree } from "./scan.ts";
import { realName, realParent, type RealPath } from "../../core/disk/real_path.ts";
import { DomainError } from "../../../shared/errors.ts";

/** Where a complete copy is to be found, and its inode. */
export interface CommittedCopy {
  to: EntryPath;
  ino: number | null;
  /** Its folders have their permissions and times: from then on originals may be removed. */
  isFinished?: boolean;
}

/**
 * Finishes a transfer whose process was killed when its copy had got its name, or was about to:
 * gives the copied folders their permissions and times, and removes the originals of a move that
 * are as they were copied.
 *
 * @returns false when the copy has not got its name
 * @throws {DomainError} as `runTransfer()` does
 */
export async function finishTransfer(
  access: Access,
  request: TransferRequest,
  copy: CommittedCopy,
  signal: AbortSignal,
): Promise<boolean> {
  const action = actionOf(request);
  try {
    const arrived = entryAt(access, copy.to, true);
    if (!arrived || arrived.info.ino !== copy.ino) return false;
    const source = entryAt(access, request.from, request.action === "copy");
    if (source && !isSameEntry(source.info, arrived.info)) {
      await finish(source, arrived, { request, copy, pauses: new Pauses(signal) });
    }
    return true;
  } catch (error) {
    throw asRefusal(error, action);
  }
}

/** Removes what an aborted transfer has left in a folder to be resumed. */
export async function removeStaging(
  access: Access,
  folders: readonly EntryPath[],
  staging: string,
): Promise<void> {
  for (const path of folders) {
    try {
      using folder = access.folder(path).open();
      await removeTree(folder, staging, new Pauses());
    } catch {
      // It is not there, or its disk is gone: the sweep of a later start may find it.
    }
  }
}

async function finish(
  source: SourceHandle,
  arrived: SourceHandle,
  { request, copy, pauses }: { request: TransferRequest; copy: CommittedCopy; pauses: Pauses },
): Promise<void> {
  const action = actionOf(request);
  const isMove = request.action === "move";
  if (!source.isFolder) return isMove ? finishSingle(source, arrived) : undefined;
  const tree = await scan(source.folder(), true, action, pauses);
  const places = placesOf(tree, arrived.real);
  // The originals lose their times with the first entry that is removed.
  if (!copy.isFinished) await finishFolders(tree, places, pauses);
  using top = disk.folder(arrived.real);
  await top.syncAll();
  if (!isMove) return;
  await recognizeCopies(tree, places, pauses);
  await removeOriginals(tree, action, pauses);
  using parent = source.openParent();
  await parent.sync();
}

/** Removes the original of a single entry. */
function finishSingle(source: SourceHandle, arrived: SourceHandle): void {
  using from = source.openParent();
  using into = arrived.openParent();
  if (source.info.isSymlink) removeLink(from, source.name, into.readLink(arrived.name));
  else if (isCopyOf(arrived.info, source.info)) {
    removeFile(from, { name: source.name, replaces: false, copied: stateOf(source.info) });
  }
}

/** Finds out which files have been copied as they are. */
async function recognizeCopies(
  tree: ScannedTree,
  places: readonly string[],
  pauses: Pauses,
): Promise<void> {
  for (const [index, { handle, files }] of tree.entries()) {
    using original = handle.open();
    using copy = openIfThere(places[index] ?? "");
    for (const file of files) {
      const before = original.look(file.name);
      const after = copy?.look(file.name);
      if (before && after && isCopyOf(after, before)) file.copied = stateOf(before);
      if (pauses.isDue) await pauses.pause();
    }
  }
}

function isCopyOf(copy: Facts, original: Facts): boolean {
  return copy.isFile && original.isFile && copy.size === original.size &&
    modifiedAt(copy) === modifiedAt(original);
}

function stateOf(facts: Facts) {
  const { ino, dev, size } = facts;
  return { ino, dev, size, modified: modifiedAt(facts) };
}

function openIfThere(place: string) {
  try {
    return disk.folder(place);
  } catch (error) {
    if (error instanceof DiskError) return null;
    throw error;
  }
}

/**
 * Deletes the originals of a move by copy, and nothing else: a file changed or added since stays,
 * with the folders above it. Those of a pipe, socket or device stay, too.
 *
 * @throws {DomainError} `precondition_failed` when any entry stays, after the rest is removed
 * @throws {DiskError}
 */
export async function removeOriginals(
  tree: ScannedTree,
  action: string,
  pauses: Pauses,
): Promise<void> {
  let isGone = true;
  const staying = new Set<number>();
  for (const [index, folder] of [...tree.entries()].reverse()) {
    const isEmpty = await removeEntries(folder, pauses);
    const stays = folder.others.length > 0 || staying.has(index);
    if (stays) staying.add(folder.parent);
    isGone = isEmpty && (stays || removeEmptyFolder(folder.handle.real)) && isGone;
  }
  if (!isGone) throw originalsLeftError(action);
}

/** Removes a file if unchanged since it was copied. @returns whether it is gone */
export function removeFile(folder: OpenFolder, { name, copied }: ScannedFile): boolean {
  const facts = folder.look(name);
  if (!facts) return true;
  if (!copied || !isAsCopied(facts, copied)) return false;
  folder.removeFile(name);
  return true;
}

/** Removes a link if its text is unchanged. @returns whether it is gone */
export function removeLink(folder: OpenFolder, name: string, text: string): boolean {
  const facts = folder.look(name);
  if (!facts) return true;
  if (!facts.isSymlink || folder.readLink(name) !== text) return false;
  folder.removeFile(name);
  return true;
}

/** Removes a folder if it is empty. @returns whether it is gone */
export function removeEmptyFolder(real: RealPath): boolean {
  try {
    using above = disk.folder(realParent(real));
    above.removeFolder(realName(real));
    return true;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    if (error.code === "ENOENT") return true;
    if (error.code === "ENOTEMPTY" || error.code === "EEXIST") return false;
    throw error;
  }
}

/** The error when some of the originals are left. */
export function originalsLeftError(action: string): DomainError {
  const text = `${action}: something in it changed during the move and stays where it was`;
  return new DomainError("precondition_failed", text);
}

/** Whether all of them are gone. */
async function removeEntries(
  { handle, files, links }: ScannedFolder,
  pauses: Pauses,
): Promise<boolean> {
  using folder = handle.open();
  let isGone = true;
  for (const file of files) {
    isGone = removeFile(folder, file) && isGone;
    if (pauses.isDue) await pauses.pause();
  }
  for (const { name, text } of links) {
    isGone = removeLink(folder, name, text) && isGone;
    if (pauses.isDue) await pauses.pause();
  }
  return isGone;
}
