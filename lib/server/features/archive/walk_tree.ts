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
import { numberedName } from "../../../shared/numbered_name.ts";
import type { Container } from "./container.ts";
import { safeNames } from "./entry_names.ts";
import { LeftOutFile, type LeftOutPaths } from "./left_out_file.ts";
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

/** The name of the note about what was left out, unless it is taken. */
const noteStem = "left-out";
const noteName = `${noteStem}.txt`;

/** Where the entries of a walk go. */
interface Walk {
  into: Container;
  pauses: Pauses;
  leftOut: LeftOutPaths;
  /** Names at the top of the archive like that of the note, in lower case. */
  noteNames: Set<string>;
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
 * @param noteBelow adds a note of the pipes, sockets and devices as the last file, with their paths
 * below this folder; null for none
 * @returns which pipes, sockets and devices were left out
 * @throws {DomainError} when a listed entry is gone before it is archived, and errors of the
 * container
 */
export async function walkTree(
  tree: Tree,
  into: Container,
  pauses: Pauses,
  noteBelow: EntryPath | null,
): Promise<LeftOutPaths> {
  const { others } = tree;
  const leftOut = { count: others.length, first: others.slice(0, maxLeftOut) };
  const walk: Walk = { into, pauses, leftOut, noteNames: new Set() };
  for (const { source, name } of tree.files) {
    addTopName(name, walk);
    await into.file(name, source);
  }
  for (const { handle, name } of tree.folders) {
    addTopName(name, walk);
    if (name !== "") await into.folder(name, factsOf(handle.info));
    if (pauses.isDue) await pauses.pause();
    await walkFolder(handle, name === "" ? "" : `${name}/`, walk);
  }
  if (noteBelow !== null && leftOut.count > 0) {
    let name = noteName;
    for (let number = 1; walk.noteNames.has(name); number++) {
      name = numberedName(noteName, number, false);
    }
    await into.file(name, new LeftOutFile(leftOut, noteBelow, modifiedOf(tree)));
  }
  return leftOut;
}

function addTopName(name: string, { noteNames }: Walk): void {
  const [top = ""] = name.toLowerCase().split("/");
  if (top.startsWith(noteStem)) noteNames.add(top);
}

/** A time that a tree keeps, so that the same one always gives the same archive. */
function modifiedOf({ files: [file], folders: [folder] }: Tree): number {
  return folder ? factsOf(folder.handle.info).modified : file?.source.facts.modified ?? 0;
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
  walk: Walk,
  pending: Pending[],
): Promise<void> {
  const { into, pauses, leftOut } = walk;
  using open = folder.open();
  const { names, safe, folders, others } = contentsOf(folder.readInParts(open));
  if (prefix === "") { for (const name of safe) addTopName(name, walk); }
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

function contentsOf(parts: Iterable<readonly Child[]>): Contents {
  const all = new Set<string>();
  const folders = new Set<string>();
  const others: string[] = [];
  for (const children of parts) {
    for (const { name, kind } of children) {
      if (kind === "other") others.push(name);
      if (kind !== "file" && kind !== "folder") continue;
      all.add(name);
      if (kind === "folder") folders.add(name);
    }
  }
  const names = [...all].sort();
  return { names, safe: safeNames(names), folders, others: others.sort() };
}

function goneError(folder: FolderHandle, name: string): Error {
  return changedError(childOf(folder.path, name));
}
