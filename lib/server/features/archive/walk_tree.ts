import {
  changedError,
  ChildFile,
  factsOf,
  type FolderHandle,
} from "../../core/access/folder_handle.ts";
import type { Child } from "../../core/access/folder_visibility.ts";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import { collectGarbage } from "../../core/concurrency/collect_garbage.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import { maxLeftOut } from "../../files/transfer/progress.ts";
import type { Container } from "./container.ts";
import { safeNames } from "./entry_names.ts";
import type { Tree } from "./tree.ts";

/** The entries of a folder that are archived, in order; small, as many may be in memory. */
interface Contents {
  names: string[];
  /** Their names in the archive. */
  safe: string[];
  /** The names of folders. */
  folders: ReadonlySet<string>;
  /** Those of pipes, sockets and devices, which are left out. */
  others: string[];
}

/** The pipes, sockets and devices that a walk has left out. */
export interface LeftOutPaths {
  count: number;
  /** The first of them. */
  first: EntryPath[];
}

/** Where the entries of a walk go. */
interface Walk {
  into: Container;
  pauses: Pauses;
  leftOut: LeftOutPaths;
}

/** A folder waiting to be walked. */
interface Pending {
  above: FolderHandle;
  name: string;
  /** Its name in the archive, with those of the folders above it. */
  path: string;
}

/**
 * Adds a whole tree to a container: of each folder first the files, then the subfolders, each by
 * code unit order of their names, so that the same tree always gives the same archive. Symlinks,
 * pipes, sockets, devices, unavailable mounts and entries hidden from the viewer are left out.
 *
 * @returns which pipes, sockets and devices were left out
 * @throws {DomainError} when a listed entry is gone before it is archived, and errors of the
 * container
 */
export async function walkTree(
  tree: Tree,
  into: Container,
  pauses: Pauses,
): Promise<LeftOutPaths> {
  const walk: Walk = { into, pauses, leftOut: { count: 0, first: [] } };
  for (const { source, name } of tree.files) await into.file(name, source);
  for (const { handle, name } of tree.folders) {
    if (name !== "") await into.folder(name, factsOf(handle.info));
    if (pauses.isDue) await pauses.pause();
    await walkFolder(handle, name === "" ? "" : `${name}/`, walk);
  }
  return walk.leftOut;
}

/** Folders wait on an explicit stack: a tree may be deeper than the call stack. */
async function walkFolder(
  top: FolderHandle,
  prefix: string,
  walk: Walk,
): Promise<void> {
  const pending: Pending[] = [];
  await addFiles(top, prefix, walk, pending);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { above, name, path } = next;
    const child: Child = { name, kind: "folder", isFolder: true, target: null };
    if (above.isBrokenMount(child)) continue;
    const folder = above.enter(child);
    if (!folder) throw goneError(above, name);
    const added = walk.into.folder(path, factsOf(folder.info));
    if (added) await added;
    await addFiles(folder, `${path}/`, walk, pending);
  }
}

/** Adds the files of a folder and pushes its subfolders, the first on top. */
async function addFiles(
  folder: FolderHandle,
  prefix: string,
  { into, pauses, leftOut }: Walk,
  pending: Pending[],
): Promise<void> {
  using open = folder.open();
  const { names, safe, folders, others } = contentsOf(folder.readOpen(open).children);
  collectGarbage(names.length);
  leftOut.count += others.length;
  for (const name of others.slice(0, maxLeftOut - leftOut.first.length)) {
    leftOut.first.push(childOf(folder.path, name));
  }
  if (pauses.isDue) await pauses.pause();
  for (const [index, name] of names.entries()) {
    if (folders.has(name)) continue;
    const info = folder.stat({ name, kind: "file", isFolder: false, target: null }, open);
    if (!info) throw goneError(folder, name);
    if (!info.isFile) continue;
    const file = new ChildFile(folder, name, factsOf(info));
    const added = into.file(`${prefix}${safe[index]}`, file);
    if (added) await added;
    if (pauses.isDue) await pauses.pause();
  }
  for (let index = names.length - 1; index >= 0; index--) {
    const name = names[index] ?? "";
    if (folders.has(name)) pending.push({ above: folder, name, path: `${prefix}${safe[index]}` });
  }
}

function contentsOf(children: Child[]): Contents {
  const all = new Set<string>();
  const folders = new Set<string>();
  const others: string[] = [];
  for (const { name, kind } of children) {
    if (kind === "other") others.push(name);
    if (kind !== "file" && kind !== "folder") continue;
    all.add(name);
    if (kind === "folder") folders.add(name);
  }
  const names = [...all].sort();
  return { names, safe: safeNames(names), folders, others: others.sort() };
}

function goneError(folder: FolderHandle, name: string): Error {
  return changedError(childOf(folder.path, name));
}
