import { DomainError } from "../../../shared/errors.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import {
  type Attributes,
  DiskError,
  type OpenFile,
  type OpenFolder,
  withoutMask,
} from "../../core/disk/disk.ts";
import { disk } from "../../core/disk/this_disk.ts";
import {
  type CopiedState,
  OpenTree,
  type ScannedFile,
  type ScannedLink,
  type ScannedTree,
} from "./scan.ts";
import {
  copyContent,
  copyFileMetadata,
  copyFolderMetadata,
  fileBits,
  isSparse,
} from "./copy_data.ts";
import { keepLatest } from "../../core/concurrency/collect_garbage.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import type { Reserved } from "../../core/access/reserved.ts";
import { type Facts, isSameEntry } from "../../core/disk/facts.ts";
import type { ProgressMeter } from "./progress.ts";

/**
 * Copies a folder with its whole subtree into a staging folder. Until {@link finishFolders} only
 * the server may enter the copied folders.
 *
 * @returns the paths of the copied folders, in the order of the tree
 * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`, `precondition_failed`
 * @throws {DiskError} such as `ENOSPC`
 */
export async function copyTree(
  tree: ScannedTree,
  staging: OpenFolder,
  order: CopyOrder,
  pauses: Pauses,
): Promise<string[]> {
  const places: string[] = [];
  using originals = new OpenTree(tree, (index) => tree[index]?.handle.real ?? "");
  using copies = new OpenTree(tree, (index) => places[index] ?? "");
  for (const [index, folder] of tree.entries()) {
    const { name, parent } = folder;
    places.push(`${places[parent] ?? staging.real}/${name}`);
    const above = parent === -1 ? staging : copies.open(parent);
    if (!(order.since && above.look(name)?.isDirectory)) above.makeFolder(name, 0o700);
    order.meter?.add(1, 0);
    await copyFiles(originals.open(index), copies.open(index), folder, order, pauses);
    if (pauses.isDue) await pauses.pause();
  }
  return places;
}

/**
 * Copies owner (as far as the system allows), permissions and times of the originals to the folders
 * made for a copy. Folders that existed before keep theirs.
 *
 * @param places the current paths of the copied folders
 * @param more permission bits: a folder that is to be renamed has to be writable
 */
export async function finishFolders(
  tree: ScannedTree,
  places: readonly string[],
  pauses: Pauses,
  more = 0,
): Promise<void> {
  for (const [index, place] of [...places.entries()].reverse()) {
    const folder = tree[index];
    if (!folder || folder.into) continue;
    using copy = disk.folder(place);
    copyFolderMetadata(copy, folder.handle.info, attributesOf(folder.handle), more);
    if (pauses.isDue) await pauses.pause();
  }
}

/** None of a folder that is gone, or closed to the server, meanwhile. */
function attributesOf(handle: FolderHandle): Attributes {
  try {
    using original = handle.open();
    return original.attributes();
  } catch (error) {
    if (error instanceof DomainError || error instanceof DiskError) return new Map();
    throw error;
  }
}

/** The paths of a tree's copied folders after its commit. */
export function placesOf(tree: ScannedTree, top: string): string[] {
  const places: string[] = [];
  for (const { name, parent, into } of tree) {
    const above = places[parent];
    places.push(into ?? (above === undefined ? top : `${above}/${name}`));
  }
  return places;
}

/** Options of copying files. */
interface CopyOrder {
  action: string;
  /** The originals will be deleted: a file that changes during the copy is copied again. */
  isMove: boolean;
  /** Sync each file on its own; otherwise the caller syncs them all at once. */
  isSynced: boolean;
  /** Files never to read, under any name. */
  reserved: Reserved;
  /** Since when an earlier attempt may have left copies; in milliseconds since 1970. */
  since?: number;
  /** Told of what is copied. */
  meter?: Pick<ProgressMeter, "add">;
}

/** The permission to open a copy for writing once more. */
const ownerWrite = 0o200;

/** Maximum attempts for a file that changes during the copy. */
const maxReadings = 3;

/**
 * Copies files and links of one folder into another that has none of their names, but what an
 * earlier attempt has left. Missing files are skipped.
 *
 * @throws {DomainError} `forbidden`, `not_a_file`, `precondition_failed`
 * @throws {DiskError} such as `ENOSPC`
 */
export async function copyFiles(
  from: OpenFolder,
  to: OpenFolder,
  { files, links }: { files: readonly ScannedFile[]; links: readonly ScannedLink[] },
  order: CopyOrder,
  pauses: Pauses,
): Promise<void> {
  for (const file of files) {
    await copyFile(from, to, file, order, pauses);
    if (pauses.isDue) await pauses.pause();
  }
  for (const { name, text, isThere } of links) {
    if (!isThere && !(order.since && to.look(name))) to.makeLink(name, text);
    order.meter?.add(1, 0);
    if (pauses.isDue) await pauses.pause();
  }
}

/** Whether facts are of the same file as copied, unchanged. */
export function isAsCopied(facts: Facts, copied: CopiedState): boolean {
  return facts.isFile && isSameEntry(facts, copied) && facts.size === copied.size &&
    modifiedAt(facts) === copied.modified;
}

async function copyFile(
  from: OpenFolder,
  to: OpenFolder,
  file: ScannedFile,
  order: CopyOrder,
  pauses: Pauses,
): Promise<void> {
  const { name } = file;
  const { action, isMove, isSynced, reserved, meter } = order;
  using source = openIfThere(from, name);
  if (!source) return;
  let before = source.facts();
  if (!before.isFile) {
    throw new DomainError("not_a_file", `${action}: "${name}" is not a regular file`);
  }
  if (reserved.is(before)) {
    throw new DomainError("forbidden", `${action}: access to an entry below it is denied`);
  }
  const { ino, dev, size } = before;
  const left = leftBytes(to, name, before, order.since);
  if (left === "all") {
    file.copied = { ino, dev, size, modified: modifiedAt(before) };
    return meter?.add(1, size);
  }
  let attributes = source.attributes();
  const mode = withoutMask((before.mode ?? fileBits) & fileBits, attributes);
  using target = left === 0 ? to.file(name, "create", mode) : to.file(name, "write");
  const count = (bytes: number) => meter?.add(0, bytes);
  if (left > 0) count(left);
  for (let reading = 1;; reading++) {
    await copyContent(source, target, before, pauses, reading === 1 ? left : 0, count);
    const after = isMove ? source.facts() : before;
    if (isUnchanged(before, after)) break;
    if (reading === maxReadings) {
      throw new DomainError("precondition_failed", `${action}: "${name}" keeps changing`);
    }
    target.setSize(0);
    before = after;
    attributes = source.attributes();
  }
  copyFileMetadata(target, before, attributes);
  keepLatest("copy", from, source, before, file, pauses);
  if (isSynced) await target.sync();
  file.copied = { ino: before.ino, dev, size: before.size, modified: modifiedAt(before) };
  meter?.add(1, 0);
}

/**
 * How much an earlier attempt has copied: `all` when its copy has the original's size and time,
 * which it gets last. A part counts when the original has not changed since, and has no holes: it
 * was written from front to back. Any other copy is removed.
 */
function leftBytes(to: OpenFolder, name: string, before: Facts, since?: number): number | "all" {
  const copy = since === undefined ? null : to.look(name);
  if (!copy || since === undefined) return 0;
  if (copy.isFile && copy.size === before.size && modifiedAt(copy) === modifiedAt(before)) {
    return "all";
  }
  const changed = before.ctime?.getTime() ?? Infinity;
  const isOpen = copy.isFile && copy.size > 0 && ((copy.mode ?? 0) & ownerWrite) !== 0;
  if (isOpen && copy.size < before.size && changed < since && !isSparse(before)) return copy.size;
  to.removeFile(name);
  return 0;
}

function openIfThere(folder: OpenFolder, name: string): OpenFile | null {
  try {
    return folder.file(name, "read");
  } catch (error) {
    if (error instanceof DiskError && error.code === "ENOENT") return null;
    throw error;
  }
}

function isUnchanged(before: Facts, after: Facts): boolean {
  return before.size === after.size && modifiedAt(before) === modifiedAt(after) &&
    before.ctime?.getTime() === after.ctime?.getTime();
}

/** A file's time of modification, in milliseconds since 1970. */
export function modifiedAt({ mtime }: Facts): number {
  return mtime?.getTime() ?? 0;
}
