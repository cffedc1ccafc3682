import { ChildFile, factsOf, hasChanged } from "../access/child_file.ts";
import type { Child, FolderHandle } from "../access/folder_handle.ts";
import { childOf } from "../../shared/path.ts";
import { collectGarbage } from "../rpc/collect_garbage.ts";
import type { PatientSteps } from "../rpc/slices.ts";
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
export function* walkTree(tree: Tree, into: Container): PatientSteps<void> {
  for (const { source, name } of tree.files) yield* into.file(name, source) ?? [];
  for (const { handle, name } of tree.folders) {
    if (name !== "") yield* into.folder(name, factsOf(handle.info)) ?? [];
    yield;
    yield* walkFolder(handle, name === "" ? "" : `${name}/`, into);
  }
}

/** Folders wait on a stack, as nested generators would take the longer for a step the deeper it is. */
function* walkFolder(top: FolderHandle, prefix: string, into: Container): PatientSteps<void> {
  const pending: Pending[] = [];
  yield* addFiles(top, prefix, into, pending);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { above, name, path } = next;
    const child: Child = { name, kind: "folder", isFolder: true, target: null };
    if (above.isBrokenMount(child)) continue;
    const folder = above.enter(child);
    if (!folder) throw gone(above, name);
    yield* into.folder(path, factsOf(folder.info)) ?? [];
    yield;
    yield* addFiles(folder, `${path}/`, into, pending);
  }
}

/** Adds the files of a folder, and puts the folders in it on the stack, the first on top. */
function* addFiles(
  folder: FolderHandle,
  prefix: string,
  into: Container,
  pending: Pending[],
): PatientSteps<void> {
  using open = folder.open();
  const { names, safe, folders } = contentsOf(folder.readOpen(open).children);
  collectGarbage(names.length);
  yield;
  for (const [index, name] of names.entries()) {
    if (folders.has(name)) continue;
    const info = folder.stat({ name, kind: "file", isFolder: false, target: null }, open);
    if (!info) throw gone(folder, name);
    if (!info.isFile) continue;
    yield* into.file(`${prefix}${safe[index]}`, new ChildFile(folder, name, factsOf(info))) ?? [];
    yield;
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
