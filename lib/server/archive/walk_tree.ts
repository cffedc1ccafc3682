import { ChildFile, factsOf, hasChanged } from "../access/child_file.ts";
import type { Child, FolderHandle } from "../access/folder_handle.ts";
import { childOf } from "../../shared/path.ts";
import { collectGarbage } from "../concurrency/collect_garbage.ts";
import type { Pauses } from "../concurrency/pauses.ts";
import type { Container } from "./container.ts";
import { safeNames } from "./entry_names.ts";
import type { Tree } from "./tree.ts";

/** What a folder holds that goes into an archive, in order: as little of each entry as possible. */
interface Contents {
  names: string[];
  /** Their names in the archive. */
  safe: string[];
  /** The names of folders. */
  folders: ReadonlySet<string>;
}

/** A folder that waits for its turn. */
interface Pending {
  above: FolderHandle;
  name: string;
  /** Its name in the archive, with those of the folders above it. */
  path: string;
}

/**
 * Puts all of a tree into a container: in each folder the files first, then the folders in it, each
 * by the plain order of their names, so that the same tree always gives the same archive. Links are
 * left out, and so are pipes, sockets, devices, mounts that are out of order, and what the viewer may
 * not know of.
 *
 * @throws {DomainError} when something that was there is gone before it is its turn, and what the
 * container throws
 */
export async function walkTree(
  tree: Tree,
  into: Container,
  pauses: Pauses,
): Promise<void> {
  for (const { source, name } of tree.files) await into.file(name, source);
  for (const { handle, name } of tree.folders) {
    if (name !== "") await into.folder(name, factsOf(handle.info));
    if (pauses.isDue) await pauses.pause();
    await walkFolder(handle, name === "" ? "" : `${name}/`, into, pauses);
  }
}

/** Folders wait on a stack: a tree may be deeper than calls can be nested. */
async function walkFolder(
  top: FolderHandle,
  prefix: string,
  into: Container,
  pauses: Pauses,
): Promise<void> {
  const pending: Pending[] = [];
  await addFiles(top, prefix, into, pending, pauses);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { above, name, path } = next;
    const child: Child = { name, kind: "folder", isFolder: true, target: null };
    if (above.isBrokenMount(child)) continue;
    const folder = above.enter(child);
    if (!folder) throw gone(above, name);
    const added = into.folder(path, factsOf(folder.info));
    if (added) await added;
    await addFiles(folder, `${path}/`, into, pending, pauses);
  }
}

/** Adds the files of a folder, and puts the folders in it on the stack, the first on top. */
async function addFiles(
  folder: FolderHandle,
  prefix: string,
  into: Container,
  pending: Pending[],
  pauses: Pauses,
): Promise<void> {
  using open = folder.open();
  const { names, safe, folders } = contentsOf(folder.readOpen(open).children);
  collectGarbage(names.length);
  if (pauses.isDue) await pauses.pause();
  for (const [index, name] of names.entries()) {
    if (folders.has(name)) continue;
    const info = folder.stat({ name, kind: "file", isFolder: false, target: null }, open);
    if (!info) throw gone(folder, name);
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
  for (const { name, kind } of children) {
    if (kind !== "file" && kind !== "folder") continue;
    all.add(name);
    if (kind === "folder") folders.add(name);
  }
  const names = [...all].sort();
  return { names, safe: safeNames(names), folders };
}

function gone(folder: FolderHandle, name: string): Error {
  return hasChanged(childOf(folder.path, name));
}
